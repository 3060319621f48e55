import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { claimsOf } from '../../../src/domain/settlement/claims.ts'
import { type Airing, airingsOf, type SellerRow } from '../../../src/domain/settlement/sellerRows.ts'
import { aBill, anAiring } from '../../support/settlement/aSellerRow.ts'

const MATCH_SECONDS = 600
const timeOf = (minute: number) => `20:${String(minute).padStart(2, '0')}`

/** Rows of an hour, up to some hundred at the time of a bill. */
const someRows = fc.array(
  fc.record({
    network: fc.constantFrom('ESPN', 'ESPN', 'TNT'),
    air_time: fc.integer({ min: 0, max: 40 }).map(timeOf),
    spot_length: fc.constantFrom(30, 30, 15),
    isci: fc.constantFrom(undefined, 'A', 'B', 'C'),
    unit_id: fc.constantFrom(undefined, 'a', 'b'),
  }),
  { maxLength: 200 },
)

/** The pairs by the rule as it is written: pass by pass, each bill in order takes the earliest free airing that fits. */
function pairsAsWritten(airings: readonly Airing[], bills: readonly Airing[]): Map<SellerRow, SellerRow> {
  const pairs = new Map<SellerRow, SellerRow>()
  const taken = new Set<Airing>()
  const isSame = (one: unknown, other: unknown) => one === undefined || other === undefined || one === other
  const passes: ((airing: SellerRow, bill: SellerRow) => boolean)[] = [
    (a, b) => a.spot_length === b.spot_length && isSame(a.isci, b.isci) && isSame(a.unit_id, b.unit_id),
    (a, b) => a.spot_length === b.spot_length,
    () => true,
  ]
  for (const fits of passes) {
    for (const bill of bills.filter(({ row }) => !pairs.has(row))) {
      const isNear = (airing: Airing) => Math.abs(airing.at - bill.at) <= MATCH_SECONDS && airing.row.network === bill.row.network
      const airing = airings.find((one) => !taken.has(one) && isNear(one) && fits(one.row, bill.row))
      if (airing === undefined) continue
      taken.add(airing)
      pairs.set(bill.row, airing.row)
    }
  }
  return pairs
}

describe('the claims of airings and bills', () => {
  it('pair each bill as the rule says, with few rows at its time and with many', () => {
    fc.assert(
      fc.property(someRows, someRows, (aired, billed) => {
        const airings = airingsOf(aired.map((row) => anAiring(row)))
        const bills = airingsOf(billed.map((row) => aBill(row)))
        const claims = claimsOf(airings, bills, MATCH_SECONDS)
        const pairs = pairsAsWritten(airings, bills)
        const found = claims.filter(({ aired, billed }) => aired !== undefined && billed !== undefined)
        expect(found.filter(({ aired, billed }) => pairs.get(billed as SellerRow) !== aired)).toEqual([])
        expect(found).toHaveLength(pairs.size)
        expect(claims).toHaveLength(airings.length + bills.length - pairs.size)
      }),
      { numRuns: 300 },
    )
  })
})
