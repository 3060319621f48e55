import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { RateEntry } from '../../../src/contract/rateCard.ts'
import { type CommittedPrice, completeCommit } from '../../../src/domain/publish/completeCommit.ts'
import { type PricedEntry, rateKey, stageRateCard } from '../../../src/domain/publish/stageRateCard.ts'
import { aRate, THREE_WEEKS } from '../../support/orders/published.ts'

const staged = (entries: readonly RateEntry[]) =>
  stageRateCard(
    THREE_WEEKS,
    new Set(['a', 'b']),
    entries.map((value, index) => ({ index, value })),
    'USD',
  ).accepted

/** The prices as a commit keeps them. */
const committed = (priced: readonly PricedEntry[]): CommittedPrice[] =>
  priced.map(({ entry, weeks }) => ({
    ...{ product_id: entry.product_id, market_class: entry.market_class, advertiser_class: entry.advertiser_class },
    ...{ spot_length: entry.spot_length, buy_type: entry.buy_type, clearance_tier: entry.clearance_tier ?? null },
    ...{ gross_rate_unit: `${entry.gross_rate_unit}.000`, gross_rate_cpm: null, currency: entry.currency ?? 'USD' },
    ...{ guaranteed_impressions: null, audience_code: null, window_opens: null, quote_expires_at: null },
    window_closes: entry.window === undefined ? null : new Date(entry.window.closes).toISOString(),
    weeks,
  }))

/** The price of each key and week. */
const pricesOf = (priced: readonly PricedEntry[]) =>
  new Map(
    priced.flatMap(({ entry, weeks }) =>
      weeks.map((week) => [`${rateKey(entry)} ${week}`, [entry.gross_rate_unit, entry.currency ?? 'USD', entry.window] as const] as const),
    ),
  )

const anEntry = fc
  .record({
    product_id: fc.constantFrom('a', 'b', 'unknown'),
    week: fc.constantFrom(undefined, '2026-W50', '2026-W51', '2027-W20'),
    spot_length: fc.constantFrom(15, 30),
    gross_rate_unit: fc.constantFrom(10, 20),
    currency: fc.constantFrom(undefined, 'USD', 'CAD'),
    window: fc.constantFrom(undefined, undefined, { closes: '2096-12-01T12:00:00+02:00' }),
  })
  .map(({ product_id, ...more }) => aRate(product_id, more) as RateEntry)

describe('entries sent under the name of a published commit', () => {
  it('leave with it the prices of the whole, and no price twice, unless they would change one', () => {
    fc.assert(
      fc.property(fc.array(anEntry, { maxLength: 8 }), fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), (entries, wasTaken) => {
        const first = staged(entries.filter((_, index) => wasTaken[index]))
        const whole = staged(entries)
        const { added, changed } = completeCommit(committed(first), whole, 'USD')
        const before = pricesOf(first)
        expect([...pricesOf(added).keys()].filter((place) => before.has(place))).toEqual([])
        if (changed.length === 0) {
          expect(new Map([...before, ...pricesOf(added)].sort())).toEqual(new Map([...pricesOf(whole)].sort()))
          return
        }
        for (const one of changed) {
          const differing = [...pricesOf([one])].filter(
            ([place, price]) => before.has(place) && JSON.stringify(before.get(place)) !== JSON.stringify(price),
          )
          expect(differing).not.toEqual([])
        }
      }),
    )
  })

  it('that are those of the commit add and change nothing', () => {
    fc.assert(
      fc.property(fc.array(anEntry, { maxLength: 8 }), (entries) => {
        expect(completeCommit(committed(staged(entries)), staged(entries), 'USD')).toEqual({ added: [], changed: [] })
      }),
    )
  })
})
