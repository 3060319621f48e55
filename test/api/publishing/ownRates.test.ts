import { describe, expect, it } from '@jest/globals'
import { everyPage } from '../../support/http/everyPage.ts'
import { holdAsk } from '../../support/orders/holds.ts'
import { aCard, anAgreement, anAvail, aRate } from '../../support/orders/published.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

const JULY = { start: '2030-07-01', end: '2030-07-31' }
const publish = async (commit: string, rates: object[], more: object = {}) => {
  const { status, text } = await market.cable.put('/me/rate-cards', aCard(commit, rates as never, { effective: JULY, ...more }))
  if (status !== 200) throw new Error(text)
}
const rates = async (query: string) => (await market.cable.get(`/me/rates?${query}`)).body

describe('GET /me/rates: 200', () => {
  it('returns the price in force of each key with its commit, page by page, and no quotes', async () => {
    await publish('july-1', [aRate('prime', { gross_rate_unit: 10 }), aRate('prime', { gross_rate_unit: 11, spot_length: 15 })])
    await publish('july-2', [aRate('prime', { gross_rate_unit: 12 })])
    const { rates: found, next_cursor } = await rates('product_id=prime&weeks=2030-W28..2030-W29')
    expect(next_cursor).toBeNull()
    const shown = found.map(({ week, spot_length, gross_rate_unit, commit }: Record<string, unknown>) => [
      week,
      spot_length,
      gross_rate_unit,
      commit,
    ])
    expect(shown).toEqual([
      ['2030-W28', 15, 11, 'july-1'],
      ['2030-W28', 30, 12, 'july-2'],
      ['2030-W29', 15, 11, 'july-1'],
      ['2030-W29', 30, 12, 'july-2'],
    ])
    const query = 'product_id=prime&weeks=2030-W22..2030-W31'
    const pages = await everyPage((cursor) => rates(`${query}&limit=1${cursor}`))
    expect(pages.flatMap((page) => page.rates)).toEqual((await rates(query)).rates)
  })

  it('names the agreement of a scoped price, and shows nothing of other sellers', async () => {
    await market.cable.put('/me/agreements/agr-rates', anAgreement())
    await publish('scoped', [aRate('weekend', { gross_rate_unit: 7 })], { agreement_id: 'agr-rates' })
    const { rates: found } = await rates('product_id=weekend&weeks=2030-W28')
    expect(found).toMatchObject([{ agreement_id: 'agr-rates', commit: 'scoped', gross_rate_unit: 7 }])
    expect((await market.station.get('/me/rates?product_id=weekend&weeks=2030-W28')).body.rates).toEqual([])
  })
})

describe('GET /me/rates: 422', () => {
  it.each(['', 'product_id=prime', 'weeks=2030-W23', 'product_id=prime&weeks=2030-W60', 'product_id=prime&weeks=1000-W01..9000-W01'])(
    'refuses ?%s',
    async (query) => {
      expect((await market.cable.get(`/me/rates?${query}`)).status).toBe(422)
    },
  )
})

describe('GET /me/rate-cards/{commit}/diff: 200', () => {
  it('shows by key and week what was added, changed and removed, page by page', async () => {
    await publish('diff-1', [
      aRate('prime', { advertiser_class: 'a' }),
      aRate('prime', { advertiser_class: 'b' }),
      aRate('prime', { advertiser_class: 'c' }),
    ])
    await publish('diff-2', [
      aRate('prime', { advertiser_class: 'b' }),
      aRate('prime', { advertiser_class: 'c', gross_rate_unit: 999.99 }),
      aRate('prime', { advertiser_class: 'd' }),
    ])
    const { body: whole } = await market.cable.get('/me/rate-cards/diff-2/diff')
    const weeks = whole.unchanged
    expect(whole).toMatchObject({ commit: 'diff-2', against: 'diff-1', added: weeks, changed: weeks, removed: weeks, next_cursor: null })
    expect(weeks).toBeGreaterThan(3)
    const changes = whole.items.map(({ change, advertiser_class }: Record<string, string>) => `${change} ${advertiser_class}`)
    expect([...new Set(changes)].sort()).toEqual(['added d', 'changed c', 'removed a'])
    const changed = whole.items.find(({ change }: { change: string }) => change === 'changed')
    expect(changed).toMatchObject({ before: { currency: 'USD' }, after: { gross_rate_unit: 999.99 } })
    const path = '/me/rate-cards/diff-2/diff?against=diff-1&limit=4'
    const pages = await everyPage(async (cursor) => (await market.cable.get(path + cursor)).body)
    expect(new Set(pages.map(({ added }) => added))).toEqual(new Set([weeks]))
    expect(pages.flatMap(({ items }) => items)).toEqual(whole.items)
    const { body: back } = await market.cable.get('/me/rate-cards/diff-1/diff?against=diff-2')
    expect([back.added, back.removed]).toEqual([weeks, weeks])
  })

  it('shows the first commit of a scope as all new', async () => {
    await market.cable.put('/me/agreements/agr-diff', anAgreement())
    await publish('first-scoped', [aRate('prime')], { agreement_id: 'agr-diff' })
    const { body } = await market.cable.get('/me/rate-cards/first-scoped/diff')
    expect(body).toMatchObject({ against: null, changed: 0, removed: 0, unchanged: 0 })
    expect(body.added).toBe(body.items.length)
  })
})

describe('GET /me/rate-cards/{commit}/diff: 404', () => {
  it('is the answer for a commit of another seller', async () => {
    expect((await market.station.get('/me/rate-cards/june/diff')).status).toBe(404)
  })
})

describe('GET /me/rate-cards/{commit}/diff: 422', () => {
  it('is the answer against a commit of another seller', async () => {
    expect((await market.cable.get('/me/rate-cards/june/diff?against=june-local')).status).toBe(422)
  })
})

describe('GET /me/avails with weeks and grain: 200', () => {
  it('returns the avails that touch the weeks, of a grain or of all, page by page', async () => {
    await market.cable.put('/me/avails', { avails: [anAvail('prime', { period: { grain: 'month', start: '2030-06' } })] })
    const periods = async (query: string) => {
      const pages = await everyPage(async (cursor) => (await market.cable.get(`/me/avails?${query}&limit=2${cursor}`)).body)
      return pages.flatMap(({ avails }) =>
        avails.map(({ product_id, period }: { product_id: string; period: { start: string } }) => `${product_id} ${period.start}`),
      )
    }
    expect(await periods('weeks=2030-W23')).toEqual(['prime 2030-06-05', 'prime 2030-06', 'prime 2030-W23'])
    expect(await periods('weeks=2030-W24&grain=week')).toEqual(['prime 2030-W24', 'weekend 2030-W24'])
    expect(await periods('grain=day')).toEqual(['prime 2030-06-05'])
    expect(await periods('product_id=weekend&grain=week')).toEqual(['weekend 2030-W24'])
    expect(await periods('product_id=weekend&weeks=2031-W01')).toEqual([])
  })
})

describe('GET /me/avails with weeks and grain: 422', () => {
  it.each([
    ['weeks', 'weeks=2030-W70'],
    ['grain', 'grain=quarter'],
  ])('names a wrong %s', async (field, query) => {
    const { status, body } = await market.cable.get(`/me/avails?${query}`)
    expect([status, body.details.field]).toEqual([422, field])
  })
})

describe('GET /me/buyers: 200', () => {
  it('lists the buyers whose status the seller has set, by name, and no others', async () => {
    await market.cable.put('/me/buyers/zenith', { status: 'suspended' })
    await market.cable.put('/me/buyers/acme', { status: 'active', allowlisted: true })
    await market.station.put('/me/buyers/other', { status: 'suspended' })
    const first = (await market.cable.get('/me/buyers?limit=1')).body
    expect(first.items).toEqual([{ buyer_entity: 'acme', status: 'active', allowlisted: true }])
    const { body } = await market.cable.get(`/me/buyers?limit=1&cursor=${first.next_cursor}`)
    expect(body).toEqual({ items: [{ buyer_entity: 'zenith', status: 'suspended', allowlisted: false }], next_cursor: null })
    await market.cable.put('/me/buyers/zenith', { status: 'active' })
  })
})

describe('GET /me/holds: 200', () => {
  it('lists what buyers hold of the seller, newest first, with the buyer', async () => {
    await market.cable.put('/me/capabilities', { holds: true })
    const hold = async (buyer: typeof market.acme) => (await buyer.post('/holds', holdAsk())).body.hold_id
    const [older, newer] = [await hold(market.acme), await hold(market.zenith)]
    await market.acme.delete(`/holds/${older}`)
    const { body } = await market.cable.get('/me/holds')
    expect(body.items.map(({ hold_id, buyer_entity, status }: Record<string, string>) => [hold_id, buyer_entity, status])).toEqual([
      [newer, 'zenith', 'held'],
      [older, 'acme', 'released'],
    ])
    expect((await market.cable.get('/me/holds?status=held&limit=1')).body.items).toHaveLength(1)
    expect((await market.station.get('/me/holds')).body.items).toEqual([])
  })
})
