import type { Row, Sheet, Text } from '../cells.ts'
import { isNumeric } from './numeric.ts'
import { rowsOf } from './rows.ts'

/**
 * Sets the columns that a spreadsheet's print runs over onto further pages beside those that they continue: a page of numbers alone below one
 * row of headings, whose rows stand at the heights of rows of the page before. Such a page has no words that say which row a number is of, so
 * what it orders is asked (`joined` tells that), and what it states of sums and prices only proves.
 */
export function withSpilled(sheets: readonly Sheet[]): { sheets: Sheet[]; joined: boolean } {
  const result: Sheet[] = []
  let joined = false
  for (const sheet of sheets) {
    const before = result.at(-1)
    if (before !== undefined && continues(sheet, before)) {
      joined = true
      const by = Math.max(...before.texts.map(({ right }) => right)) + GAP - Math.min(...sheet.texts.map(({ left }) => left))
      result[result.length - 1] = {
        ...before,
        texts: [...before.texts, ...sheet.texts.map((text): Text => ({ ...text, left: text.left + by, right: text.right + by }))],
      }
    } else result.push(sheet)
  }
  return { sheets: result, joined }
}

/** The gap between the columns of two pages, in points. */
const GAP = 40

function continues(sheet: Sheet, before: Sheet): boolean {
  if (sheet.layout !== 'page' || before.layout !== 'page' || sheet.texts.length === 0) return false
  const [rows, above] = [rowsOf(sheet, 0), rowsOf(before, 0)]
  const numbers = rows.filter(({ cells }) => cells.every(isNumeric))
  const heights = new Set(above.map(({ y }) => Math.round(y)))
  const isBeside = ({ y }: Row) => [-1, 0, 1].some((by) => heights.has(Math.round(y) + by))
  // The headings stand above the first number, at the height of the headings that they continue.
  const others = rows.filter((row) => !numbers.includes(row))
  return numbers.length >= 1 && others.length <= 4 && others.every(({ y }) => y < (numbers[0]?.y ?? 0)) && rows.every(isBeside)
}
