import { expect } from '@jest/globals'
import { IS_LONG } from './scale.ts'

/** Next to other tests on a busy machine, times only show whether somebody was blocked. */
const LOOSE = 10

/** Expects milliseconds within a bound: the bound itself in the long run, which has the machine to itself, and `loose` times the bound in `npm test`. */
export function expectWithin(ms: number, bound: number, loose = LOOSE): void {
  expect(ms).toBeLessThanOrEqual(IS_LONG ? bound : loose * bound)
}
