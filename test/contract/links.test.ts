import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PLACES = /`((?:src|api|workflows|activities|worker|test|docs)\/[^`\s]*|\.[a-z][\w.-]+\.c?js)`/g
const pages = [
  'README.md',
  'CHANGELOG.md',
  ...(await readdir(join(ROOT, 'docs'), { recursive: true })).map((name) => `docs/${name}`),
].filter((name) => name.endsWith('.md'))

describe.each(pages)('%s', (name) => {
  it('links to pages and headings that exist', async () => {
    const broken: string[] = []
    for (const [, link = ''] of withoutSamples(await read(name)).matchAll(/\]\(([^)\s]+)\)/g)) {
      const [path = '', anchor] = link.split('#')
      if (/^[a-z]+:/.test(link)) continue
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
