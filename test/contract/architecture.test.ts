import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { describe, expect, it } from '@jest/globals'

const ROOT = new URL('../../', import.meta.url)
const PROGRAM = ['src', 'api', 'workflows', 'activities', 'worker', 'sftp', 'bounces']
const page = await readFile(new URL('docs/architecture.md', ROOT), 'utf8')

describe('docs/architecture.md', () => {
  it('has every law, promise and term that the code cites', async () => {
    const names = [...page.matchAll(/^(?:#+ (.+)|\| ([^|]+?) \|.*)$/gm)].map(([, heading, row]) => heading ?? row)
    const cited = (await comments()).flatMap(({ file, text }) =>
      [...text.matchAll(/[(;] ?architecture, ([^);:]+)/g)].flatMap(([, list = '']) => list.split(', ').map((name) => ({ file, name }))),
    )
    expect(cited.length).toBeGreaterThan(15)
    expect(cited.filter(({ name }) => !names.includes(name))).toEqual([])
  })

  it('is cited by name: no comment names laws or promises in general', async () => {
    const vague = (await comments()).filter(({ text }) => /laws of the (log|workflows)|[(;] ?promises, /.test(text))
    expect(vague.map(({ file }) => file)).toEqual([])
  })

  it('names every rule of the rooms', () => {
    const { forbidden } = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as { forbidden: { name: string }[] }
    const rooms = page.slice(page.indexOf('| From | Rule | Rule name |'), page.indexOf('"Imports" includes'))
    const listed = [...rooms.matchAll(/\| `([^`]+)` \|$/gm)].map(([, name]) => name)
    expect(listed.sort()).toEqual(forbidden.map(({ name }) => name).sort())
  })
})

/** The source, with comments of several lines on one. */
async function comments(): Promise<{ file: string; text: string }[]> {
  const lists = await Promise.all(
    PROGRAM.map(async (room) => (await readdir(new URL(`${room}/`, ROOT), { recursive: true })).map((path) => `${room}/${path}`)),
  )
  const files = lists.flat().filter((path) => path.endsWith('.ts'))
  return Promise.all(
    files.map(async (file) => ({ file, text: (await readFile(new URL(file, ROOT), 'utf8')).replace(/\s*\n\s*(?:\*|\/\/) /g, ' ') })),
  )
}
