import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'

const ROOT = new URL('../../', import.meta.url)
const ROOMS = ['src', 'api', 'workflows', 'activities', 'worker', 'sftp', 'bounces', 'tools', 'console/src', 'test']
/** Beside the rules: the list of endpoints, and the page that is made from the code. */
const NO_RULES = ['README.md', 'error-codes.md']

/** Tests that show the form of a citation. */
const OF_THE_FORM = ['test/contract/choices.test.ts', 'test/contract/contractPages.test.ts']

const names = (await readdir(new URL('docs/contract/', ROOT))).filter((name) => !NO_RULES.includes(name))
const pages = await Promise.all(names.map((name) => readFile(new URL(`docs/contract/${name}`, ROOT), 'utf8')))
const headings = pages.flatMap((page) => [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading))

describe('docs/contract', () => {
  it('has every heading that a comment or the name of a test cites', async () => {
    const cited = (await citations()).map(({ file, heading }) => ({ file, heading }))
    expect(cited.length).toBeGreaterThan(150)
    expect(cited.filter(({ heading }) => !headings.includes(heading))).toEqual([])
  })

  it('has a name of its own for each heading, by which it is cited', () => {
    expect(headings.filter((heading, at) => headings.indexOf(heading) < at)).toEqual([])
  })

  it('is what is cited, and no text that is elsewhere', async () => {
    const elsewhere = (await sources()).filter(({ text }) => /\(spec, [A-Zcrt]/.test(text))
    expect(elsewhere.map(({ file }) => file)).toEqual([])
  })

  it('has pages that are all in its index', async () => {
    const index = await readFile(new URL('docs/contract/README.md', ROOT), 'utf8')
    expect(names.filter((name) => !index.includes(`](${name})`))).toEqual([])
  })
})

/** A comment cites as "(contract, Heading; Heading: detail; choices, Name)". */
async function citations(): Promise<{ file: string; heading: string }[]> {
  return (await sources()).flatMap(({ file, text }) =>
    [...text.matchAll(/\(contract, ([A-Z][^()]+)\)/g)].flatMap(([, list = '']) => {
      const parts = list.split('; ')
      const end = parts.findIndex((part) => /^(choices|architecture), /.test(part))
      return (end < 0 ? parts : parts.slice(0, end)).map((part) => ({ file, heading: part.split(': ')[0] ?? '' }))
    }),
  )
}

/** The source, with comments of several lines on one. */
async function sources(): Promise<{ file: string; text: string }[]> {
  const lists = await Promise.all(
    ROOMS.map(async (room) => (await readdir(new URL(`${room}/`, ROOT), { recursive: true })).map((path) => `${room}/${path}`)),
  )
  const files = lists.flat().filter((path) => /\.tsx?$/.test(path) && !OF_THE_FORM.includes(path))
  return Promise.all(
    files.map(async (file) => ({ file, text: (await readFile(new URL(file, ROOT), 'utf8')).replace(/\s*\n\s*(?:\*|\/\/) /g, ' ') })),
  )
}
