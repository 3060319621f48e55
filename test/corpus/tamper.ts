import type { Sheet, Text } from '../../src/domain/document/cells.ts'
import { named } from '../../src/domain/document/headings/vocabulary.ts'
import { countOf, isMoney } from '../../src/domain/document/values/amounts.ts'
import { writtenDate } from '../../src/domain/document/values/dates.ts'

/** Ways to damage a document, as a printer, a spreadsheet or a hand may. */
export const TAMPERS = ['drop a cell', 'shift a column', 'rename a heading', 'delete a page', 'change a number'] as const
export type Tamper = (typeof TAMPERS)[number]

/** Returns the sheets after one damage, drawn by `random` from 0 to 1; undefined if there is nothing to damage so. */
export function tampered(sheets: readonly Sheet[], tamper: Tamper, random: () => number): { sheets: Sheet[]; what: string } | undefined {
  if (tamper === 'delete a page') {
    if (sheets.length < 2) return undefined
    const gone = Math.floor(random() * sheets.length)
    return { sheets: sheets.filter((_, at) => at !== gone), what: `page ${gone + 1}` }
  }
  const all = sheets.flatMap(({ texts }, sheet) => texts.map((text) => ({ text, sheet })))
  const some = all.filter(({ text }) => FITS[tamper](text))
  // A word that is a heading elsewhere may be one of a program's name.
  const isAmongHeadings = ({ text, sheet }: (typeof all)[number]) =>
    some.filter((other) => other.sheet === sheet && Math.abs(other.text.y - text.y) < 1).length >= 3
  const fitting = tamper === 'rename a heading' ? some.filter(isAmongHeadings) : some
  const chosen = fitting[Math.floor(random() * fitting.length)]
  if (chosen === undefined) return undefined
  const { text, sheet } = chosen
  const what = `"${text.text}" at ${text.at}`
  const edited = edits(tamper, text, sheets[sheet] as Sheet)
  return { sheets: sheets.map((each, at) => (at === sheet ? { ...each, texts: edited } : each)), what }
}

const FITS: Record<Exclude<Tamper, 'delete a page'>, (text: Text) => boolean> = {
  'drop a cell': ({ text }) => /\d/.test(text),
  'shift a column': ({ text }) => isNumber(text),
  'rename a heading': ({ text }) => named(text) !== undefined || writtenDate(text) !== undefined,
  'change a number': ({ text }) => isNumber(text),
}

function isNumber(text: string): boolean {
  return countOf(text) !== undefined || isMoney(text)
}

function edits(tamper: Tamper, chosen: Text, { texts }: Sheet): Text[] {
  switch (tamper) {
    case 'drop a cell':
      return texts.filter((text) => text !== chosen)
    case 'rename a heading':
      return texts.map((text) => (text === chosen ? { ...text, text: 'Qzx' } : text))
    case 'change a number':
      return texts.map((text) => (text === chosen ? { ...text, text: plusOne(text.text) } : text))
    default:
      return shifted(chosen, texts)
  }
}

/** Adds one to the last digit before the decimals. */
function plusOne(text: string): string {
  const [, before = '', digits = '', after = ''] = /^(.*?)(\d+)((?:\.\d*)?\D*)$/.exec(text) ?? []
  return `${before}${String(Number(digits) + 1).padStart(digits.length, '0')}${after}`
}

/** Moves the numbers of a column one row down, as an inserted cell does. */
function shifted(chosen: Text, texts: readonly Text[]): Text[] {
  const column = texts
    .filter((text) => isNumber(text.text) && text.left < chosen.right && chosen.left < text.right && text.y >= chosen.y)
    .sort((a, b) => a.y - b.y)
  return texts.flatMap((text) => {
    const at = column.indexOf(text)
    if (at < 0) return [text]
    const above = column[at - 1]
    return above === undefined ? [] : [{ ...text, text: above.text }]
  })
}

/** A small generator of numbers from 0 to 1, the same for a seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
