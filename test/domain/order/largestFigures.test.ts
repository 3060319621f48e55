import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { MAX_GROSS, MAX_IMPRESSIONS } from '../../../src/contract/vocabulary/bounds.ts'
import { cancellationBlock } from '../../../src/domain/order/cancel.ts'
import { decide } from '../../../src/domain/order/decide.ts'
import { exposureOf } from '../../../src/domain/order/exposure.ts'
import { totals } from '../../../src/domain/order/snapshot.ts'
import { aLine, anOrder, CONTEXT, CREATED_AT, counterContext } from '../../support/orders/anOrder.ts'
import { given } from '../../support/orders/given.ts'
import { refusalOf } from '../../support/refusalOf.ts'

const MAX_CENTS = 999_999_999_999_999n
/** A figure as a reader of the JSON has it, in hundredths. */
const centsRead = (figure: number) => {
  const [whole = '0', hundredths = ''] = String(JSON.parse(JSON.stringify(figure))).split('.')
  return BigInt(whole) * 100n + BigInt(hundredths.padEnd(2, '0'))
}

/** Prices and counts of all sizes, so that what lines come to lies around the bound as often as far below it. */
const aPrice = fc.nat({ max: 12 }).chain((digits) => fc.bigInt({ min: 0n, max: 10n ** BigInt(digits + 2) }))
const aCount = fc.nat({ max: 8 }).chain((digits) => fc.integer({ min: 1, max: 10 ** digits }))
const someLines = fc.array(fc.record({ cents: aPrice, units: aCount }), { minLength: 1, maxLength: 6 })
const lineAt = (units: number, unit_cost: number) =>
  aLine({ units, rate: { unit_cost, advertiser_class: `at ${unit_cost}`, locked_rate_id: `lr_${unit_cost}` } })
const lineOf = ({ cents, units }: { cents: bigint; units: number }) => lineAt(units, Number(cents) / 100)

describe('an order', () => {
  it('is refused for what it comes to, or reads to the cent', () => {
    fc.assert(
      fc.property(someLines, fc.nat({ max: 100 }), (lines, pct) => {
        const cents = lines.reduce((sum, line) => sum + line.cents * BigInt(line.units), 0n)
        const make = () => anOrder({ lines: lines.map(lineOf), status: 'placed', terms: { notice_days: 999, late_fee_pct: pct } })
        if (cents > MAX_CENTS) return expect(refusalOf(make).details).toMatchObject({ maximum: MAX_GROSS })
        const order = make()
        expect(centsRead(totals(order).gross)).toBe(cents)
        expect(centsRead(Number(exposureOf(order).toFixed()))).toBe(cents)
        const { notice } = cancellationBlock(order, { reason: 'r', actor: 'a' }, CREATED_AT)
        expect(centsRead(notice?.fee_amount ?? -1)).toBe((cents * BigInt(pct) + 50n) / 100n)
      }),
      { numRuns: 300 },
    )
  })

  it('can total the bound exactly, also over 500 lines, and not a cent more', () => {
    const each = 19_999_999_999.99
    const lines = Array.from({ length: 500 }, () => lineAt(1, each)) // 9,999,999,999,995.00
    const rest = (unit_cost: number) => [...lines.slice(1), lineAt(1, unit_cost)]
    expect(totals(anOrder({ lines: rest(20_000_000_004.98) })).gross).toBe(MAX_GROSS)
    const { details, message } = refusalOf(() => anOrder({ lines: rest(20_000_000_004.99) }))
    expect(details).toEqual({ field: 'line_items', maximum: MAX_GROSS })
    expect(message).toContain('10000000000000.00')
  })

  it('names the line that is beyond the bound by itself', () => {
    const lines = [aLine(), lineAt(1_000_000_000, 137_174_210.13)]
    expect(refusalOf(() => anOrder({ lines })).details).toMatchObject({ field: 'line_items.1.units', maximum: MAX_GROSS })
  })

  it('guarantees no more impressions than can be read', () => {
    const rate = { cpm: 0.01, buy_type: 'audience_guaranteed', guaranteed_impressions: 1_000_000_000, audience_code: 'A18' } as const
    const order = (...units: number[]) => anOrder({ lines: units.map((count) => aLine({ units: count, rate })) })
    expect(totals(order(999_998, 1)).impressions).toEqual({ A18: 999_999_000_000_000 })
    expect(refusalOf(() => order(999_999, 1)).details).toEqual({ field: 'line_items', maximum: MAX_IMPRESSIONS })
  })

  it('refuses a counter that would raise it above the bound', () => {
    const order = anOrder({ lines: [aLine({ units: 1_000_000 })], status: 'seller_review' })
    const countered = (unit_cost: number) =>
      given(order).when(
        decide,
        {
          decision: 'counter',
          actor: 'Sam',
          units: [{ unit_id: 'unit_1', action: 'counter', counter: { week: '2026-W50', unit_cost } }],
        },
        counterContext(order),
      )
    countered(9_999_999.99).gives({ status: 'negotiating' })
    countered(10_000_000).refused('INVALID_INPUT', { field: 'units', maximum: MAX_GROSS })
    given(order).when(decide, { decision: 'approve', actor: 'Sam' }, CONTEXT).gives({ status: 'placed' })
  })
})
