import { describe, expect, it } from '@jest/globals'
import { AvailsUpdate } from '../../../src/contract/avail.ts'
import { CatalogUpdate } from '../../../src/contract/product.ts'
import { RateCardCommit } from '../../../src/contract/rateCard.ts'
import { HABITS, PLAN_HABITS } from '../../../src/local/sandbox/habits.ts'
import { inventoryOf, repricedCard, seasonOf } from '../../../src/local/sandbox/inventory.ts'

describe('the season of the sandbox', () => {
  it.each([
    ['2026-11-29', 'sandbox-2026-q4', '2026-06-29', '2028-04-02'],
    ['2027-01-01', 'sandbox-2027-q1', '2026-09-28', '2028-07-02'],
    ['2028-02-29', 'sandbox-2028-q1', '2027-09-27', '2029-07-01'],
  ])('of %s is %s, from %s to %s', (today, commit, start, end) => {
    expect(seasonOf(today)).toEqual({ commit, start, end })
  })
})

describe('the inventory of the sandbox', () => {
  it.each(['sandbox-tv', 'sandbox-pull', 'seller-suspends-you'])('of %s is what the contract takes', (seller) => {
    const { catalog, rateCard, avails } = inventoryOf(seller, '2026-11-29')
    expect(CatalogUpdate.safeParse(catalog).error).toBeUndefined()
    expect(RateCardCommit.safeParse(rateCard).error).toBeUndefined()
    expect(AvailsUpdate.safeParse(avails).error).toBeUndefined()
    expect(catalog.products.map(({ product_id }) => product_id)).toEqual(
      HABITS.filter((habit) => habit.seller === seller).map(({ product_id }) => product_id),
    )
  })

  it('is the same all day', () => {
    expect(inventoryOf('sandbox-tv', '2026-11-29')).toEqual(inventoryOf('sandbox-tv', '2026-11-29'))
  })

  it('has a name for each product and each anchor once', () => {
    const names = [...HABITS.map(({ product_id }) => product_id), ...PLAN_HABITS.map(({ anchor }) => anchor)]
    expect(new Set(names).size).toBe(names.length)
    expect(new Set(HABITS.map(({ title }) => title)).size).toBe(HABITS.length)
  })

  it('is repriced in the weeks of a line alone', () => {
    const [habit] = HABITS.filter(({ live }) => live === 'repriced')
    if (habit === undefined) throw new Error('nothing is repriced')
    const card = repricedCard(habit, ['2027-W05', '2027-W06'], 1_001, 1_795_000_000_000)
    expect([card.commit, card.effective, card.entries.map(({ week, gross_rate_unit }) => [week, gross_rate_unit])]).toEqual([
      `sbx-repriced-1001-${(1_795_000_000_000).toString(36)}`,
      { start: '2027-02-01', end: '2027-02-14' },
      [
        ['2027-W05', 1_001],
        ['2027-W06', 1_001],
      ],
    ])
  })
})
