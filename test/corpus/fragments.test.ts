import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import type { Sheet, Text } from '../../src/domain/document/cells.ts'
import { readingOf, sheetsOf } from './reading.ts'
import { type Expected, scored } from './score.ts'
import { seeded } from './tamper.ts'

/** Printers cut texts as they like: into words, into characters, anywhere; and place them a little off. */
const FOLDER = join(import.meta.dirname, 'documents')
const NAMES = [
  'f03a-spots-per-week.pdf',
  'f04b-daypart-program.pdf',
  'f07a-web-report.pdf',
  'f09d-proposal-markets.pdf',
  'f13e-buysheet-library.pdf',
]

/** The widths of characters of a common font, as shares of its height. */
function widthOf(character: string): number {
  if (/[ijl.,:;|!'-]/.test(character)) return 0.26
  if (/[ ftr()/]/.test(character)) return 0.29
  return /[mwMW]/.test(character) ? 0.83 : /[A-Z]/.test(character) ? 0.67 : 0.54
}

function cut(text: Text, pieces: RegExp): Text[] {
  const widths = [...text.text].map(widthOf)
  const scale = (text.right - text.left) / widths.reduce((sum, width) => sum + width, 0)
  const edge = (at: number) => text.left + scale * widths.slice(0, at).reduce((sum, width) => sum + width, 0)
  return [...text.text.matchAll(pieces)].map(({ 0: piece, index }) => ({
    ...text,
    text: piece,
    left: edge(index),
    right: edge(index + piece.length),
  }))
}

const random = seeded(7)
const PRINTERS: [string, (text: Text) => Text[]][] = [
  ['in words', (text) => cut(text, /\S+/g)],
  ['a little up and down', (text) => [{ ...text, y: text.y + (random() - 0.5) * text.size * 0.2 }]],
  ['a little left and right', (text) => [{ ...text, left: text.left + random(), right: text.right + random() }]],
  ['in wider letters', (text) => [{ ...text, right: text.left + (text.right - text.left) * 1.05 }]],
]

describe.each(PRINTERS)('a page whose texts are set %s', (_, print) => {
  it.each(NAMES)('%s is read right, or asked', async (name) => {
    const expected = JSON.parse(readFileSync(join(FOLDER, name.replace(/\.\w+$/, '.expected.json')), 'utf8')) as Expected
    const sheets = (await sheetsOf(join(FOLDER, name))).map((sheet): Sheet => ({ ...sheet, texts: sheet.texts.flatMap(print) }))
    expect(['right', 'safe']).toContain(scored(expected, readingOf(name, sheets)).mark)
  })
})

it('a page that is set in characters has its words whole', async () => {
  const [name] = NAMES as [string]
  const expected = JSON.parse(readFileSync(join(FOLDER, name.replace(/\.\w+$/, '.expected.json')), 'utf8')) as Expected
  const sheets = (await sheetsOf(join(FOLDER, name))).map(
    (sheet): Sheet => ({ ...sheet, texts: sheet.texts.flatMap((text) => cut(text, /\S/g)) }),
  )
  expect(scored(expected, readingOf(name, sheets)).mark).toBe('right')
})
