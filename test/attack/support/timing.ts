import { expect } from '@jest/globals'
import { IS_LONG } from './scale.ts'

/** The factor for bounds in `npm test`: on a busy machine beside other tests, times only show whether somebody was blocked. */
const LOOSE = 10

/** Expects milliseconds within the bound in the long run, which has the machine to itself, or `loose` times the bound in `npm test`. */
export function expectWithin(ms: number, bound: number, loose = LOOSE): void {
  expect(ms).toBeLessThanOrEqual(IS_LONG ? bound : loose * bound)
}
