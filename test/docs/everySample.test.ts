import { execFileSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { ROOT, type Sample, samplesOf } from '../support/samples.ts'

/** What is done with the samples of a page, by language. What is `run` is run by the test of the page. */
const KNOWN: Record<string, Partial<Record<string, 'run' | 'parse' | 'picture'>>> = {
  'README.md': { sh: 'parse', mermaid: 'picture' },
  'docs/receiving-events.md': { js: 'run', python: 'run' },
  'docs/receiving-webhooks.md': { js: 'run', python: 'run', sh: 'run' },
  'docs/examples/pull-seller/README.md': { json: 'parse' },
}
/** Pages whose samples a test of their own knows. */
const ELSEWHERE = ['docs/runbook.md', 'docs/verifying-an-order.md']

const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> }

const PARSED: Record<string, (source: string) => void> = {
  json: (source) => void JSON.parse(source),
  sh: (source) => {
    execFileSync('sh', ['-n'], { input: source, stdio: ['pipe', 'ignore', 'pipe'] })
    for (const [, script = ''] of source.matchAll(/npm run (?:-s )?([\w:]+)/g)) expect(Object.keys(scripts)).toContain(script)
  },
}

describe('every sample of the documentation', () => {
  it('is known to a test, which runs it or looks at it', async () => {
    const pages = (await readdir(join(ROOT, 'docs'), { recursive: true }))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`)
    const unknown: string[] = []
    for (const page of ['README.md', ...pages].filter((name) => !ELSEWHERE.includes(name))) {
      for (const sample of await samplesOf(page)) if (!isKnown(page, sample)) unknown.push(`${page}: ${sample.language}`)
    }
    expect(unknown).toEqual([])
  })
})

function isKnown(page: string, { language, source }: Sample): boolean {
  const how = KNOWN[page]?.[language]
  if (how === 'parse') PARSED[language]?.(source)
  return how !== undefined
}
