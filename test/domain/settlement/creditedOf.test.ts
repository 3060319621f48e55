import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { VarianceCode } from '../../../src/contract/vocabulary/reconciliation.ts'
import { decimal, jsonNumber } from '../../../src/domain/decimal.ts'
import { creditedOf } from '../../../src/domain/settlement/creditedOf.ts'
import type { StoredVariance } from '../../../src/domain/settlement/reconciliationResult.ts'
import { anAiring } from '../../support/settlement/aSellerRow.ts'

const PRICE = 100
const variance = (variance_id: string, code: VarianceCode, more: Partial<StoredVariance> = {}): StoredVariance => ({
  ...{ variance_id, code, units: 1, gross: PRICE, rows: [] },
  ...more,
})
const credit = (variance_id: string, code: VarianceCode, amount: number) => ({ variance_id, code, amount })
const left = (
  variances: StoredVariance[],
  steps: ReturnType<typeof credit>[],
  of = variances[0] as StoredVariance,
  ordered_gross = 3 * PRICE,
) => of.gross - jsonNumber(creditedOf({ ordered_gross, variances }, steps, of))

describe('what is left to credit of a spot', () => {
  it('is less what was credited of it under a code that new data has ended', () => {
    expect(left([variance('now', 'OUT_OF_DAYPART')], [credit('ended', 'ORDERED_NOT_RUN', 60)])).toBe(40)
  })

  it('is its price where what was credited is of another spot that still varies', () => {
    const [one, other] = [variance('one', 'OUT_OF_DAYPART', { rows: [anAiring()] }), variance('other', 'ORDERED_NOT_RUN')]
    expect(left([one, other], [credit('other', 'ORDERED_NOT_RUN', PRICE)])).toBe(PRICE)
  })

  it('is never more than the line orders, and does not depend on what only the seller’s files bill', () => {
    expect(left([variance('one', 'MISSED')], [], undefined, 99.99)).toBe(PRICE - 0.01)
    expect(left([variance('one', 'MISSED')], [credit('rate', 'RATE_MISMATCH', 90)])).toBe(PRICE)
  })

  it('never lets credits of a line exceed the price of the most spots that have varied at a time', () => {
    const codes = fc.constantFrom<VarianceCode>('ORDERED_NOT_RUN', 'MISSED', 'OUT_OF_DAYPART', 'WRONG_COPY')
    const results = fc.array(fc.uniqueArray(fc.record({ id: fc.nat(9), code: codes }), { selector: ({ id }) => id, maxLength: 3 }), {
      maxLength: 8,
    })
    fc.assert(
      fc.property(results, (each) => {
        const steps: ReturnType<typeof credit>[] = []
        for (const found of each) {
          const variances = found.map(({ id, code }) => variance(`${id}`, code))
          for (const one of variances) steps.push(credit(one.variance_id, one.code, Math.max(left(variances, steps, one), 0)))
        }
        const credited = steps.reduce((total, { amount }) => total.plus(decimal(amount)), decimal(0))
        expect(jsonNumber(credited)).toBeLessThanOrEqual(PRICE * Math.max(0, ...each.map(({ length }) => length)))
      }),
    )
  })
})
