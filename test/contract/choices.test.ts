import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'

const ROOT = new URL('../../', import.meta.url)
const ROOMS = ['src', 'api', 'workflows', 'activities', 'worker']

describe('docs/choices.md', () => {
  it('has every choice that the code cites', async () => {
    const known = await choices()
    const cited = await citedChoices()
    expect(cited.length).toBeGreaterThan(100)
    expect(cited.filter(({ choice }) => !known.some((name) => name.startsWith(choice) || choice.startsWith(name)))).toEqual([])
  })

  it('names files that exist', async () => {
    const text = await read('docs/choices.md')
    const places = [...text.matchAll(/^\|.*\| ([^|]+) \|$/gm)].flatMap(([, cell = '']) => [...cell.matchAll(/`([a-z][\w.]*\/[^`]*)`/gi)])
    const files = await everyFile()
    expect(places.length).toBeGreaterThan(100)
    expect(places.map(([, path = '']) => path).filter((path) => !files.some((file) => file === path || file.startsWith(path)))).toEqual([])
  })
})

/** Headings, and the names of rows. */
async function choices(): Promise<string[]> {
  const text = await read('docs/choices.md')
  return [...text.matchAll(/^(?:## (.+)|\| ([^|]+?)(?: \(additive\))? \|.*)$/gm)].map(([, heading, row]) =>
    (heading ?? row ?? '').replaceAll('`', ''),
  )
}

/** A comment cites as "(choices, Name)" or "(spec, Place; choices, Name: detail)". */
async function citedChoices(): Promise<{ file: string; choice: string }[]> {
  const files = (await everyFile()).filter((file) => file.endsWith('.ts') && ROOMS.some((room) => file.startsWith(`${room}/`)))
  const texts = await Promise.all(files.map(async (file) => [file, await read(file)] as const))
  return texts.flatMap(([file, text]) => {
    const onOneLine = text.replace(/\s*\n\s*(?:\*|\/\/) /g, ' ')
    return [...onOneLine.matchAll(/[(;] ?choices, ([^).;:]+)/g)].map(([, choice = '']) => ({ file, choice }))
  })
}

async function everyFile(): Promise<string[]> {
  const lists = await Promise.all(
    [...ROOMS, 'docs'].map(async (room) =>
      (await readdir(new URL(`${room}/`, ROOT), { recursive: true })).map((path) => `${room}/${path}`),
    ),
  )
  return lists.flat()
}

async function read(path: string): Promise<string> {
  return readFile(new URL(path, ROOT), 'utf8')
}
