import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startApp, type TestApp } from '../support/app.ts'
import { aCatalog, aProduct, aRate } from '../support/published.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const YEAR = { start: '2027-01-04', end: '2028-01-02' } // 52 ISO weeks
const PRODUCTS = Array.from({ length: 120 }, (_, index) => `bulk\t${index}\\N`)
const put = (what: string, body: object, token = app.tokens.sellers.cable) =>
  app.request.put(`/v1/me/${what}`).auth(token, { type: 'bearer' }).send(body)
const count = async (table: string) => Number((await app.deps.db.pool.query(`select count(*) from ${table}`)).rows[0].count)
/** Everything of a commit but what is minted with it. */
const pricesOf = async (commit: string) =>
  (
    await app.deps.db.pool.query(
      `select product_id, week, market_class, advertiser_class, spot_length, buy_type, clearance_tier, gross_rate_unit::text, gross_rate_cpm::text,
         currency, guaranteed_impressions, audience_code, window_opens, window_closes, quote_expires_at, agreement_id, visible_to
       from rate_entries where seller = 'cable' and commit = $1 order by product_id, week, spot_length`,
      [commit],
    )
  ).rows

const entriesOf = (products: readonly string[]) =>
  products.map((product_id, index) =>
    aRate(product_id, {
      gross_rate_unit: 100.05 + index,
      ...(index % 2 === 0 ? { clearance_tier: 'P2' } : { window: { closes: '2029-01-01T02:00:00+02:00' } }),
    }),
  )

describe('a card of more than 5,000 prices', () => {
  beforeAll(async () => {
    await put('catalog', aCatalog(...PRODUCTS.map((id) => aProduct(id)))).expect(200)
  })

  it('leaves the very prices that small cards leave, and nothing in the staging table', async () => {
    const entries = entriesOf(PRODUCTS)
    const { body } = await put('rate-cards', { commit: 'large', effective: YEAR, entries: [...entries, aRate('nowhere')] }).expect(200)
    expect(body).toMatchObject({ commit: 'large', accepted: 120, rejected: 1, errors: [{ index: 120, error_code: 'UNKNOWN_PRODUCT_ID' }] })
    const large = await pricesOf('large')
    expect(large).toHaveLength(120 * 52)
    const halves = [entries.slice(0, 60), entries.slice(60)]
    for (const [index, half] of halves.entries())
      await put('rate-cards', { commit: `small-${index}`, effective: YEAR, entries: half }).expect(200)
    const small = [...(await pricesOf('small-0')), ...(await pricesOf('small-1'))]
    const sorted = (rows: object[]) => rows.map((row) => JSON.stringify(row)).sort()
    expect(sorted(large)).toEqual(sorted(small))
    expect(await count('rates_staging')).toBe(0)
  })

  it('replays the same bytes, refuses others, and keeps nothing of what it refuses', async () => {
    const card = { commit: 'again', effective: YEAR, entries: entriesOf(PRODUCTS) }
    const first = await put('rate-cards', card).expect(200)
    const prices = await count('rate_entries')
    const again = await put('rate-cards', card).expect(200)
    expect(again.body).toEqual(first.body)
    expect(again.headers['x-idempotent-replay']).toBe('true')
    await put('rate-cards', { ...card, entries: entriesOf(PRODUCTS.slice(0, 110)) }).expect(409)
    const bothCosts = entriesOf(PRODUCTS).map((entry) => ({ ...entry, gross_rate_cpm: 1 }))
    await put('rate-cards', { ...card, commit: 'faulty', entries: bothCosts }).expect(422)
    expect([await count('rate_entries'), await count('rates_staging')]).toEqual([prices, 0])
  })

  it('gives every price a locked_rate_id of its own', async () => {
    const { rows } = await app.deps.db.pool.query(
      `select count(distinct locked_rate_id)::int as ids, count(*)::int as prices from rate_entries where commit = 'large'`,
    )
    expect(rows[0]).toEqual({ ids: 6_240, prices: 6_240 })
  })
})
