import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'

const ROOT = new URL('../../', import.meta.url)
const ROOMS = ['src', 'api', 'workflows', 'activities', 'worker', 'sftp', 'bounces', 'tools']
/** Two lines on a wide screen, without the row's files. */
const LONGEST_ROW = 275

describe('docs/choices', () => {
  it('have every choice that the code cites', async () => {
    const known = await choices()
    const cited = await citedChoices()
    expect(cited.length).toBeGreaterThan(100)
    expect(cited.filter(({ choice }) => !known.some((name) => name.startsWith(choice) || choice.startsWith(name)))).toEqual([])
  })

  it('name in each row files that exist', async () => {
    const paths = new Set(await everyFile())
    const named = (await rows())
      .filter(({ row }) => !/^\| (Matter|From|---)|^\|---/.test(row))
      .map(({ row }) => ({ row, places: placesOf(row) }))
    expect(named.length).toBeGreaterThan(500)
    expect(named.filter(({ places }) => places.length === 0)).toEqual([])
    expect(named.flatMap(({ places }) => places).filter((place) => !paths.has(place.replace(/\/$/, '')))).toEqual([])
  })

  it('have one fact a row, in at most two lines', async () => {
    expect((await rows()).filter(({ row }) => row.replace(/[^|]+\|$/, '').length > LONGEST_ROW)).toEqual([])
  })

  it('have a name of its own for each row', async () => {
    const names = (await rows()).filter(({ chapter }) => !chapter.endsWith('/states.md')).map(({ row }) => row.split('|')[1]?.trim() ?? '')
    expect(names.filter((name, at) => !['Matter', '---'].includes(name) && names.indexOf(name) < at)).toEqual([])
  })

  it('are all in the index', async () => {
    const listed = [...(await read('docs/choices/README.md')).matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name]) => `docs/choices/${name}`)
    expect(listed.sort()).toEqual(await chapters())
  })
})

async function chapters(): Promise<string[]> {
  const names = await readdir(new URL('docs/choices/', ROOT))
  return names
    .filter((name) => name !== 'README.md')
    .map((name) => `docs/choices/${name}`)
    .sort()
}

async function rows(): Promise<{ chapter: string; row: string }[]> {
  const texts = await Promise.all((await chapters()).map(async (chapter) => [chapter, await read(chapter)] as const))
  return texts.flatMap(([chapter, text]) => [...text.matchAll(/^\|.*\|$/gm)].map(([row]) => ({ chapter, row })))
}

/** The files and folders of a row's last column. */
function placesOf(row: string): string[] {
  return [...(/\| ([^|]+) \|$/.exec(row)?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, place = '']) => place)
}

/** Headings, and the names of rows. */
async function choices(): Promise<string[]> {
  const texts = await Promise.all((await chapters()).map(read))
  return [...texts.join('\n').matchAll(/^(?:#+ (.+)|\| ([^|]+?)(?: \(additive\))? \|.*)$/gm)].map(([, heading, row]) =>
    (heading ?? row ?? '').replaceAll('`', ''),
  )
}

/** A comment cites as "(choices, Name)" or "(contract, Heading; choices, Name: detail)". */
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
    [...ROOMS, 'console/src', 'client', 'clients', 'docs', 'docker', 'test'].map(async (room) =>
      (await readdir(new URL(`${room}/`, ROOT), { recursive: true })).map((path) => `${room}/${path}`),
    ),
  )
  const ofConsole = (await readdir(new URL('console/', ROOT))).map((path) => `console/${path}`)
  return [...lists.flat(), ...ofConsole, ...(await readdir(ROOT))]
}

async function read(path: string): Promise<string> {
  return readFile(new URL(path, ROOT), 'utf8')
}
