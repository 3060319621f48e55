import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { describe, expect, it } from '@jest/globals'

const ROOT = new URL('../../', import.meta.url)
const PROGRAM = ['src', 'api', 'workflows', 'activities', 'worker', 'sftp', 'bounces', 'tools']
const PAGES = ['architecture.md', 'build/rooms.md', 'build/laws.md', 'build/promises.md', 'build/style.md', 'build/glossary.md']
const [architecture = '', rooms = '', ...others] = await Promise.all(PAGES.map((name) => readFile(new URL(`docs/${name}`, ROOT), 'utf8')))
const pages = [architecture, rooms, ...others].join('\n')

describe('docs/architecture.md', () => {
  it('is short, and has a line in its tree for each room', async () => {
    expect(Buffer.byteLength(architecture)).toBeLessThan(15_000)
    const [, tree = ''] = /```text\n(api\/[\s\S]*?)```/.exec(architecture) ?? []
    const drawn = [...tree.matchAll(/^([\w/]+)\/ /gm)].map(([, room]) => room)
    const folders = async (path: string) =>
      (await readdir(new URL(path, ROOT), { withFileTypes: true })).filter((entry) => entry.isDirectory()).map(({ name }) => name)
    const inSrc = (await folders('src/')).map((name) => `src/${name}`)
    const outside = (await folders('.')).filter((name) => !name.startsWith('.') && !['src', 'node_modules', 'dist'].includes(name))
    expect(drawn.sort()).toEqual([...inSrc, ...outside].sort())
  })

  it('has every law, promise and term that the code cites', async () => {
    const names = [...pages.matchAll(/^(?:#+ (.+)|\| ([^|]+?) \|.*)$/gm)].map(([, heading, row]) => heading ?? row)
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
