import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { parseSync } from '@swc/core'
import { checkSync } from 'recheck'
import { report } from './support/table.ts'
import { expectWithin } from './support/timing.ts'

/** Every regular expression of the product and the files that contain it, since any of them may meet a stranger's text. */
const ROOMS = ['src', 'api', 'tools', 'sftp', 'bounces', 'activities', 'worker', 'workflows', 'console/src']
const LENGTH = 100_000
const LIMIT_MS = 100

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : /(?<!\.d)\.tsx?$/.test(path) ? [path] : []
  })
}

function literalsIn(node: unknown, found: { pattern: string; flags: string }[] = []): { pattern: string; flags: string }[] {
  if (typeof node !== 'object' || node === null) return found
  const { type, pattern, flags } = node as Record<string, unknown>
  if (type === 'RegExpLiteral') found.push({ pattern: String(pattern), flags: String(flags) })
  for (const member of Object.values(node)) literalsIn(member, found)
  return found
}

const expressions = new Map<string, { pattern: string; flags: string; files: string[] }>()
for (const file of ROOMS.flatMap(filesBelow)) {
  for (const { pattern, flags } of literalsIn(parseSync(readFileSync(file, 'utf8'), { syntax: 'typescript', tsx: file.endsWith('x') }))) {
    const known = expressions.get(`/${pattern}/${flags}`) ?? { pattern, flags, files: [] }
    expressions.set(`/${pattern}/${flags}`, { ...known, files: [...known.files, file] })
  }
}

it('are found in the source, and none is built from text at run time', () => {
  expect(expressions.size).toBeGreaterThan(50)
  const made = ROOMS.flatMap(filesBelow).filter((file) => /\bRegExp\(/.test(readFileSync(file, 'utf8')))
  expect(made).toEqual([])
})

it('take time in proportion to the text, as a static checker proves', () => {
  const unsafe = [...expressions].flatMap(([name, { pattern, flags, files }]) => {
    const checked = checkSync(pattern, flags, { timeout: 60_000 }) // a busy machine takes its time
    if (checked.status === 'safe') return []
    return [{ name, files, status: checked.status, attack: checked.status === 'vulnerable' ? checked.attack.pattern : undefined }]
  })
  expect(unsafe).toEqual([])
}, 300_000)

const PIECES = ['(', ' ', '\t', '\n', '0', '9', 'a', 'A', '-', '–', '/', ':', '.', ',', "'", '"', '=', '1/', 'a ', '1 ', '-1/1', ' - ']
const longTexts = (piece: string) => {
  const long = piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH)
  return [long, `${long}\u0000`, `a${long}!`]
}
const ofPieces = new Map(PIECES.map((piece) => [piece, longTexts(piece)]))

/** Texts that make an expression backtrack: one of its own characters or words, repeated, and then something that does not match. */
function worstCases(pattern: string): string[] {
  const words = pattern.match(/[A-Za-z]{2,}|\d+|\S/g) ?? []
  return [...new Set([...words, ...PIECES])].flatMap((piece) => ofPieces.get(piece) ?? longTexts(piece))
}

it(`take at most ${LIMIT_MS} ms for 100 kB of their worst case`, () => {
  let slowest = { ms: 0, name: '' }
  for (const [name, { pattern, flags }] of expressions) {
    const expression = new RegExp(pattern, flags.replace('g', '').replace('y', ''))
    for (const text of worstCases(pattern)) {
      if (slowest.ms > 10 * LIMIT_MS) break // it has failed
      // The best of three, since a busy machine does not make an expression slow.
      let ms = Number.POSITIVE_INFINITY
      for (let run = 0; run < 3 && ms > LIMIT_MS / 10; run += 1) {
        const began = performance.now()
        expression.test(text)
        ms = Math.min(ms, performance.now() - began)
      }
      if (ms > slowest.ms) slowest = { ms, name }
    }
  }
  report('regular expressions, 100 kB each', {
    expressions: expressions.size,
    slowest_ms: Math.round(slowest.ms * 10) / 10,
    slowest: slowest.name,
  })
  expectWithin(slowest.ms, LIMIT_MS)
})
