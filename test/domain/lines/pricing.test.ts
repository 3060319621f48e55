import { describe, expect, it } from '@jest/globals'
import type { AvailImpressions } from '../../../src/contract/avail.ts'
import type { LineItem } from '../../../src/contract/lineItem.ts'
import { checkPrice, impressionsPerUnit, type RateOnCard, sameKey, samePrice } from '../../../src/domain/lines/pricing.ts'
import { aLine, cardOf, type LineChanges, priceOf } from '../../support/orders/anOrder.ts'

const AT = 'line_items.0'
const fields = (line: LineItem, cited: RateOnCard | undefined, card: RateOnCard[] = []) =>
  checkPrice(line, cited, card, AT).map(({ field }) => field)

describe('a cited price', () => {
  const line = aLine({ rate: { clearance_tier: 'P2' } })

  it('accepts a line that matches it in everything', () => expect(fields(line, priceOf(line))).toEqual([]))

  it.each<[string, LineChanges]>([
    ['rate.market_class', { rate: { market_class: 'discounted' } }],
    ['rate.advertiser_class', { rate: { advertiser_class: 'political' } }],
    ['rate.buy_type', { rate: { buy_type: 'fixed_position' } }],
    ['rate.clearance_tier', { rate: { clearance_tier: 'P1' } }],
    ['rate.currency', { rate: { currency: 'EUR' } }],
    ['rate.unit_cost', { rate: { unit_cost: 99.99 } }],
    ['spot_length', { spot_length: 15 }],
    ['period', { period: { grain: 'week', start: '2026-W51' } }],
    ['rate.locked_rate_id', { product_id: 'news' }],
  ])('is refused at %s for a line that differs there, and names itself', (member, change) => {
    const { locked_rate_id } = line.rate
    const asked = aLine({ ...change, rate: { clearance_tier: 'P2', ...change.rate, locked_rate_id } })
    expect(checkPrice(asked, priceOf(line), [], AT)).toMatchObject([
      { error_code: 'INVALID_INPUT', field: `${AT}.${member}`, details: { locked_rate_id } },
    ])
  })

  it('must be one that this buyer can see', () => expect(fields(line, undefined)).toEqual([`${AT}.rate.locked_rate_id`]))

  it('is compared to the last digit', () => {
    expect(fields(aLine({ rate: { unit_cost: 100.00001 } }), priceOf(aLine()))).toEqual([`${AT}.rate.unit_cost`])
    expect(fields(aLine(), priceOf(aLine(), { gross_rate_unit: '100.000' }))).toEqual([])
  })

  it('is compared on its own basis', () => {
    const byUnit = priceOf(aLine())
    const byMille = priceOf(aLine(), { gross_rate_unit: null, gross_rate_cpm: '100' })
    expect(fields(aLine({ rate: { cpm: 100 } }), byUnit)).toEqual([`${AT}.rate.unit_cost`])
    expect(fields(aLine(), byMille)).toEqual([`${AT}.rate.cpm`])
  })

  it('lets the line omit the tier, and reports every mismatch together', () => {
    expect(fields(aLine(), priceOf(line, { locked_rate_id: aLine().rate.locked_rate_id }))).toEqual([])
    const wrong = aLine({ spot_length: 15, rate: { unit_cost: 1, market_class: 'discounted' } })
    expect(fields(wrong, priceOf(aLine()))).toEqual([`${AT}.rate.market_class`, `${AT}.spot_length`, `${AT}.rate.unit_cost`])
  })

  it('guarantees what it says', () => {
    const guaranteed = { buy_type: 'audience_guaranteed', audience_code: 'A25-54' } as const
    const cited = priceOf(aLine({ rate: { ...guaranteed, guaranteed_impressions: 40_000 } }))
    expect(fields(aLine({ rate: { ...guaranteed, guaranteed_impressions: 39_999 } }), cited)).toEqual([`${AT}.rate.guaranteed_impressions`])
    expect(fields(aLine({ rate: { ...guaranteed, audience_code: 'A18-49' } }), cited)).toEqual([`${AT}.rate.audience_code`])
    expect(fields(aLine({ rate: guaranteed }), cited)).toEqual([])
  })

  it('by cpm takes no guarantee of the buyer’s own: what it is worth would be a number that the buyer computed', () => {
    const cpm = aLine({ rate: { cpm: 20, guaranteed_impressions: 1 } })
    const cited = priceOf(cpm, { guaranteed_impressions: null })
    expect(fields(cpm, cited)).toEqual([`${AT}.rate.guaranteed_impressions`])
    expect(fields(aLine({ rate: { cpm: 20 } }), cited)).toEqual([])
    const perUnit = aLine({ rate: { guaranteed_impressions: 1 } })
    expect(fields(perUnit, priceOf(perUnit, { guaranteed_impressions: null }))).toEqual([])
  })

  it('of a week prices a day in it', () => {
    const cited = priceOf(aLine())
    const day = (start: string) => aLine({ period: { grain: 'day', start }, rate: { locked_rate_id: cited.locked_rate_id } })
    expect(fields(day('2026-12-13'), cited)).toEqual([])
    expect(fields(day('2026-12-14'), cited)).toEqual([`${AT}.period`])
  })
})

describe("a month's price", () => {
  const month = aLine({ period: { grain: 'month', start: '2026-12' } })
  const card = cardOf(month)
  const refusals = (cited: RateOnCard, prices: RateOnCard[]) => checkPrice(month, cited, prices, AT)
  const ofWeek = (week: string) => priceOf(month, { week })

  it.each(card.map(({ week }) => week))('may cite %s, as any week that it touches', (week) =>
    expect(refusals(ofWeek(week), card)).toEqual([]),
  )
  it('by cpm guarantees the same to the same in every week', () => {
    const byCpm = (rate: RateOnCard, more: Partial<RateOnCard> = {}) => ({
      ...rate,
      gross_rate_unit: null,
      gross_rate_cpm: '20',
      guaranteed_impressions: 1_000,
      audience_code: 'A25-54',
      ...more,
    })
    const { unit_cost: _, ...rate } = month.rate
    const line = { ...month, rate: { ...rate, cpm: 20 } }
    const cited = byCpm(ofWeek(card[0]?.week as string))
    const faultsOf = (more: Partial<RateOnCard>) =>
      checkPrice(
        line,
        cited,
        card.map((price, index) => byCpm(price, index === 2 ? more : {})),
        AT,
      ).map(({ field }) => field)
    expect(faultsOf({})).toEqual([])
    for (const more of [{ guaranteed_impressions: 2_000 }, { audience_code: 'A18-49' }, { guaranteed_impressions: null }])
      expect(faultsOf(more)).toEqual([`${AT}.rate.locked_rate_id`])
  })

  it('cannot cite a week next to it', () => expect(fields(month, ofWeek('2027-W01'), card)).toEqual([`${AT}.period`]))

  it('needs every week priced', () => {
    const [fault, ...more] = refusals(
      ofWeek('2026-W50'),
      card.filter(({ week }) => week !== '2026-W53'),
    )
    expect(more).toEqual([])
    expect(fault).toMatchObject({ field: `${AT}.rate.locked_rate_id`, details: { locked_rate_id: month.rate.locked_rate_id } })
    expect(fault?.message).toContain('2026-W53')
  })

  it('needs every week priced alike', () => {
    const unlike = card.map((rate) => (rate.week === '2026-W49' ? { ...rate, gross_rate_unit: '100.01' } : rate))
    expect(refusals(ofWeek('2026-W50'), unlike)).toMatchObject([{ field: `${AT}.rate.locked_rate_id` }])
  })

  it('may cite a price that a newer card replaced alike in all weeks', () => {
    const replaced = card.map((rate) => ({ ...rate, gross_rate_unit: '120' }))
    expect(refusals(ofWeek('2026-W50'), replaced)).toEqual([])
  })

  it('is compared with the prices of the cited key alone', () => {
    const others = card.map((rate) => ({ ...rate, advertiser_class: 'political', gross_rate_unit: '900' }))
    expect(refusals(ofWeek('2026-W50'), [...others, ...card])).toEqual([])
    expect(refusals(ofWeek('2026-W50'), others)).toMatchObject([{ field: `${AT}.rate.locked_rate_id` }])
  })
})

describe('a key of the card', () => {
  const rate = priceOf(aLine())
  it('has neither the week nor the price', () => {
    expect(sameKey({ ...rate, week: '2026-W51', locked_rate_id: 'lr_other', gross_rate_unit: '7' }, rate)).toBe(true)
  })
  it.each([
    'product_id',
    'market_class',
    'advertiser_class',
    'spot_length',
    'buy_type',
    'clearance_tier',
    'agreement_id',
    'visible_to',
  ] as const)('differs by %s', (member) => expect(sameKey({ ...rate, [member]: 'other' }, rate)).toBe(false))
  it('has the same price when the amounts and the basis are the same', () => {
    expect(samePrice(rate, { ...rate, gross_rate_unit: '100.00' })).toBe(true)
    expect(samePrice(rate, { ...rate, gross_rate_unit: '100.01' })).toBe(false)
    expect(samePrice(rate, { ...rate, gross_rate_unit: null, gross_rate_cpm: '100' })).toBe(false)
  })
})

describe('impressions per unit', () => {
  const published = { source: 'panel', stream: 'live', 'A25-54': { per_spot: 25_000 } } as unknown as AvailImpressions
  const cpm = (rate: LineChanges['rate']) => aLine({ rate: { cpm: 20, ...rate } })
  const ofLine = (line: LineItem, more: Partial<RateOnCard> = {}) => impressionsPerUnit(line, priceOf(line, more), published)

  it('are those that the line guarantees', () =>
    expect(ofLine(cpm({ guaranteed_impressions: 40_000, audience_code: 'A25-54' }))).toBe(40_000))
  it('are else those that the price guarantees', () => expect(ofLine(cpm({}), { guaranteed_impressions: 30_000 })).toBe(30_000))
  it('are else those published for the audience', () => {
    expect(ofLine(cpm({ audience_code: 'A25-54' }))).toBe(25_000)
    expect(ofLine(cpm({}), { audience_code: 'A25-54' })).toBe(25_000)
  })
  it('are else unknown', () => {
    expect(ofLine(cpm({ audience_code: 'A18-49' }))).toBeUndefined()
    expect(ofLine(cpm({}))).toBeUndefined()
    expect(impressionsPerUnit(cpm({ audience_code: 'A25-54' }), priceOf(cpm({})), undefined)).toBeUndefined()
  })
})
