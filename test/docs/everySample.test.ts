import { execFileSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import type { Command } from 'commander'
import { parse } from 'yaml'
import { OPERATOR_PROGRAMS } from '../../src/commandLine/operator.ts'
import { makeProgram } from '../../src/commandLine/program.ts'
import { readConfig } from '../../src/config/index.ts'
import { ENVIRONMENT } from '../../src/config/variables.ts'
import { ROOT, type Sample, samplesOf } from '../support/files/samples.ts'

/** Programs are run by the test of their page; a new one needs a test before it may be shown. */
const RUN: Record<string, readonly string[]> = {
  'docs/buy/python.md': ['python'], // clients/python/tests/test_samples.py
  'docs/buy/receiving-events.md': ['js', 'python'],
  'docs/buy/receiving-webhooks.md': ['js', 'python'],
  'docs/operate/mail.md': ['text'], // records of DNS
  'docs/architecture.md': ['text'], // the tree: test/contract/architecture.test.ts
}
const PICTURES = ['mermaid']
/** Pages whose samples a test of their own knows. */
const ELSEWHERE = ['docs/buy/verifying-an-order.md']
/** Fails if a command of `order-marketplace`, or one of its options, does not exist. */
function expectCommand(words: string): void {
  const [first, second] = words.split(/\s+/)
  if (first === 'operator') return void expect(Object.keys(OPERATOR_PROGRAMS)).toContain(second)
  let command: Command = program
  for (const word of words.split(/\s+/)) command = command.commands.find((sub) => sub.name() === word) ?? command
  const known = [...command.options, ...program.options].flatMap(({ short, long }) => [short, long])
  for (const [, option = ''] of words.matchAll(/\s(--?[a-z][\w-]*)/g))
    expect([words, known]).toEqual([words, expect.arrayContaining([option])])
  expect([words, command.commands.length]).toEqual([words, 0])
}

/** test/docs/runbook.test.ts gives the statements of these pages to PostgreSQL. */
const STATEMENTS = 'docs/operate/'

const program = makeProgram()
const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> }

const PARSED: Record<string, (source: string) => void> = {
  ini: (source) => {
    const settings = Object.fromEntries([...source.matchAll(/^(\w+)=(.+)$/gm)].map(([, name, value]) => [name, value]))
    expect(Object.keys(settings).filter((name) => !(name in ENVIRONMENT.shape))).toEqual([])
    readConfig(settings)
  },
  http: (source) => {
    for (const line of source.trim().split('\n')) expect(line).toMatch(/^[A-Z][\w-]+: \S/)
  },
  json: (source) => void JSON.parse(source),
  yaml: (source) => void parse(source),
  sh: (source) => {
    execFileSync('sh', ['-n'], { input: source, stdio: ['pipe', 'ignore', 'pipe'] })
    for (const [, script = ''] of source.matchAll(/npm run (?:-s )?([\w:-]+)/g)) expect(Object.keys(scripts)).toContain(script)
    for (const [, words = ''] of source.matchAll(/(?:^|npx )order-marketplace ([^\n#|<>]*)/gm)) expectCommand(words)
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
  if (language === 'sql') return page.startsWith(STATEMENTS)
  PARSED[language]?.(source)
  return PARSED[language] !== undefined || PICTURES.includes(language) || RUN[page]?.includes(language) === true
}
