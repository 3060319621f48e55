import type { Cell } from '../cells.ts'
import { amountOf, secondsOf } from '../values/amounts.ts'

/** Returns true for a number, a mark of nothing or of a day: what stands in a band and does not run into the next. */
export function isNumeric({ text }: Pick<Cell, 'text'>): boolean {
  return amountOf(text) !== undefined || secondsOf(text) !== undefined || /^([-–—xX*]|\d+%)$/.test(text)
}
