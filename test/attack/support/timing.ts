import { expect } from '@jest/globals'
import { IS_LONG } from './scale.ts'

/** Beside other tests on a busy machine, times say only whether somebody was stopped. */
const LOOSE = 10

/** Holds milliseconds to a bound: to the bound itself in the long run, which has the machine to itself, and loosely in `npm test`: to as many times it. */
export function expectWithin(ms: number, bound: number, loose = LOOSE): void {
  expect(ms).toBeLessThanOrEqual(IS_LONG ? bound : loose * bound)
}
