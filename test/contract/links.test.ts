import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PLACES = /`((?:src|api|workflows|activities|worker|sftp|bounces|tools|test|docs)\/[^`\s]*|\.[a-z][\w.-]+\.c?js)`/g
const pages = [
  'README.md',
  'CHANGELOG.md',
  ...(await readdir(join(ROOT, 'docs'), { recursive: true })).map((name) => `docs/${name}`),
].filter((name) => name.endsWith('.md'))

describe.each(pages)('%s', (name) => {
  it('links to pages and headings that exist', async () => {
    const broken: string[] = []
    for (const link of linksOf(await read(name))) {
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? name : join(dirname(name), path)
      const exists = existsSync(join(ROOT, target)) && (anchor === undefined || anchorsOf(await read(target)).includes(anchor))
      if (!exists) broken.push(link)
    }
    expect(broken).toEqual([])
  })

  it('names files and folders that exist', async () => {
    const named = [...withoutSamples(await read(name)).matchAll(PLACES)].map(([, path = '']) => path)
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })
})

it('every page is reached from the README', async () => {
  const reached = new Set(['README.md'])
  for (const name of reached) {
    for (const link of linksOf(await read(name))) {
      const target = join(dirname(name), link.split('#')[0] ?? '')
      // A link to a folder leads to its README.
      for (const page of [target, join(target, 'README.md')]) if (pages.includes(page)) reached.add(page)
    }
  }
  expect(pages.filter((name) => !reached.has(name))).toEqual([])
})

/** Links to files of the repository. */
function linksOf(text: string): string[] {
  const links = [...withoutSamples(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  return links.filter((link) => !/^[a-z]+:/.test(link))
}

function anchorsOf(text: string): string[] {
  return [...withoutSamples(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  )
}

function withoutSamples(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, '')
}

function read(name: string): Promise<string> {
  return readFile(join(ROOT, name), 'utf8')
}
