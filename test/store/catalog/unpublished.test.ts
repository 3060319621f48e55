import { beforeAll, describe, expect, it } from '@jest/globals'
import { RateEntry } from '../../../src/contract/rateCard.ts'
import { weeksBetween } from '../../../src/domain/calendar.ts'
import { openDueWindows } from '../../../src/operations/publishing/openDueWindows.ts'
import { saveCommit } from '../../../src/store/orders/saveCommit.ts'
import { sellerPut } from '../../support/http/sellerPut.ts'
import { aCatalog, aProduct, aRate } from '../../support/orders/published.ts'
import { publishKilledAt } from '../../support/orders/publishKilledAt.ts'
import { useApp } from '../../support/useApp.ts'

const app = useApp()

const YEAR = { start: '2027-01-04', end: '2028-01-02' } // 52 ISO weeks
const PRODUCTS = Array.from({ length: 120 }, (_, index) => `bulk\\t${index}\\N`)
const put = sellerPut(app)
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

  it('leaves the very prices that small cards leave', async () => {
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
    expect(await count('rate_entries')).toBe(prices)
  })

  it('gives every price a distinct locked_rate_id', async () => {
    const { rows } = await app.deps.db.pool.query(
      `select count(distinct locked_rate_id)::int as ids, count(*)::int as prices from rate_entries where commit = 'large'`,
    )
    expect(rows[0]).toEqual({ ids: 6_240, prices: 6_240 })
  })
})

describe('a card whose publish was killed halfway', () => {
  const read = async (path: string, token = app.tokens.buyers.acme) =>
    (await app.request.get(`/v1${path}`).auth(token, { type: 'bearer' }).expect(200)).body
  const leftBehind = async () =>
    (
      await app.deps.db.pool.query(`select
        (select count(*)::int from rate_entries where seller = 'station') as prices,
        (select count(*)::int from priced_values where seller = 'station') as priced,
        (select count(*)::int from rate_windows where seller = 'station') as windows,
        (select unpublished_commit_nos from sellers where seller = 'station') as unpublished`)
    ).rows[0]

  it('is hidden from everyone, and cleared by the next publish', async () => {
    await put('catalog', aCatalog(aProduct('a', { spot_lengths: [15, 30] })), app.tokens.sellers.station).expect(200)
    await put('rate-cards', { commit: 'first', effective: YEAR, entries: [aRate('a')] }, app.tokens.sellers.station).expect(200)
    const before = [await read('/sellers/station/avails'), await read('/sellers/station/catalog')]
    await openDueWindows(app.deps.db, '2028-06-01T00:00:00.000Z') // those of the cards above
    await killedHalfway()
    expect(await leftBehind()).toMatchObject({ prices: 52 + 1_500, unpublished: [expect.any(String)] })
    expect([await read('/sellers/station/avails'), await read('/sellers/station/catalog')]).toEqual(before)
    expect(await openDueWindows(app.deps.db, '2028-06-01T00:00:00.000Z')).toBe(0)
    await put('avails', { avails: [] }, app.tokens.sellers.station).expect(422)
    await put('catalog', aCatalog(aProduct('b')), app.tokens.sellers.station).expect(200)
    expect(await leftBehind()).toEqual({ prices: 52, priced: 4, windows: 0, unpublished: [] })
  })

  it('may take its name again', async () => {
    await killedHalfway()
    const entries = [aRate('a', { spot_length: 15, gross_rate_unit: 7 })]
    await put('rate-cards', { commit: 'killed', effective: YEAR, entries }, app.tokens.sellers.station).expect(200)
    const { avails } = await read('/sellers/station/avails')
    expect(avails[0].rates.map(({ gross_rate_unit }: { gross_rate_unit: number }) => gross_rate_unit)).toEqual([7, 1250.5])
  })

  it('is the only thing of a card that the application can delete', async () => {
    const refused = expect.objectContaining({ code: '42501', message: 'a published price is never deleted' })
    await expect(app.deps.db.pool.query(`delete from rate_entries where seller = 'station'`)).rejects.toEqual(refused)
  })

  /** In the middle of its prices. */
  async function killedHalfway(): Promise<void> {
    const windowed = { opens: '2028-05-01T00:00:00Z', closes: '2030-01-01T00:00:00Z' }
    const weeks = weeksBetween('2027-01-04', '2066-01-01')
    const entry = { index: 0, entry: RateEntry.parse(aRate('a', { spot_length: 15, window: windowed, gross_rate_unit: 7 })), weeks }
    const commit = {
      seller: 'station',
      commit: 'killed',
      effective: YEAR,
      agreementId: undefined,
      bodySha256: Buffer.alloc(32),
      reply: '',
    }
    const prices = { entries: Array(3).fill(entry), values: [], currency: 'USD' }
    await publishKilledAt(app.deps.db, 'station', 3, (publishing) => saveCommit(publishing, commit, prices))
  }
})
