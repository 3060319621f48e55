import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from './samples.ts'

/** A fenced block of docs/operate, under the nearest heading of the second level; '' before the first. */
export interface Block {
  readonly page: string
  readonly section: string
  readonly text: string
}

/** Returns the pages of docs/operate that are written by hand, those of symptoms included. */
export async function operatePages(): Promise<readonly { page: string; text: string }[]> {
  const names = (await readdir(join(ROOT, 'docs/operate'), { recursive: true })).filter((name) => name.endsWith('.md')).sort()
  return Promise.all(
    names.map(async (name) => ({ page: `docs/operate/${name}`, text: await readFile(join(ROOT, 'docs/operate', name), 'utf8') })),
  )
}

export async function blocksOf(language: string): Promise<Block[]> {
  return (await operatePages()).flatMap(({ page, text }) =>
    text.split(/^## /m).flatMap((part, at) =>
      [...part.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, block = '']) => ({
        page,
        section: at === 0 ? '' : part.slice(0, part.indexOf('\n')),
        text: block,
      })),
    ),
  )
}
