import { beforeAll, describe, expect, it } from '@jest/globals'
import { openDueWindows } from '../../../src/operations/publishing/openDueWindows.ts'
import { feedSettled } from '../../support/engines/feedSettled.ts'
import { sellerPut } from '../../support/http/sellerPut.ts'
import { aCard, aCatalog, anAgreement, aProduct, aRate } from '../../support/orders/published.ts'
import { useApp } from '../../support/useApp.ts'

const app = useApp()
beforeAll(async () => {
  const quote = { disclosure: { pricing_policy: 'quote' } }
  const products = [aProduct('open'), aProduct('scoped', { visibility: 'by_agreement' }), aProduct('quoted', quote)]
  await put('catalog', aCatalog(...products))
  await put('agreements/agr-acme', anAgreement({ catalog_scope: ['scoped'] }))
})

const put = async (what: string, body: object) => {
  const reply = await sellerPut(app)(what, body)
  expect([200, 201]).toContain(reply.status)
  return reply
}
interface Notice {
  event_type: string
  event_id: string
  data: { commit?: string; product_ids?: string[]; product_id?: string; locked_rate_ids?: string[]; opens?: string; closes?: string }
}
const feed = async (token: string, events: string): Promise<Notice[]> => {
  await feedSettled(app.deps.db)
  const { body } = await app.request.get(`/v1/events/feed?limit=500&events=${events}`).auth(token, { type: 'bearer' }).expect(200)
  return body.events
}
const cards = async (token: string, commit: string) =>
  (await feed(token, 'catalog.rate_card_published')).map(({ data }) => data).filter((data) => data.commit === commit)
const windows = (token: string) => feed(token, 'catalog.window_opened')
const everyone = () => [app.tokens.buyers.acme, app.tokens.buyers.zenith, app.tokens.sellers.cable, app.tokens.sellers.station]

describe('catalog.rate_card_published', () => {
  it('names to each buyer only the products whose prices that buyer can see', async () => {
    await put('rate-cards', aCard('c-open', [aRate('open'), aRate('scoped'), aRate('quoted')]))
    const seen = await Promise.all(everyone().map((token) => cards(token, 'c-open')))
    const effective = { start: '2026-12-07', end: '2026-12-27' }
    expect(seen).toEqual([
      [{ commit: 'c-open', effective, product_ids: ['open', 'scoped'] }],
      [{ commit: 'c-open', effective, product_ids: ['open'] }],
      [],
      [],
    ])
  })

  it('is sent to the buyer of a scoped card alone', async () => {
    await put('rate-cards', aCard('c-scoped', [aRate('open')], { agreement_id: 'agr-acme' }))
    const seen = await Promise.all(everyone().map((token) => cards(token, 'c-scoped')))
    expect(seen).toEqual([[expect.objectContaining({ agreement_id: 'agr-acme', product_ids: ['open'] })], [], [], []])
  })

  it('is sent once, and not for a replay or a commit of which nothing passed', async () => {
    const card = aCard('c-once', [aRate('open')])
    await put('rate-cards', card)
    await put('rate-cards', card)
    await put('rate-cards', aCard('c-empty', [aRate('nowhere')]))
    expect(await cards(app.tokens.buyers.acme, 'c-once')).toHaveLength(1)
    expect(await cards(app.tokens.buyers.acme, 'c-empty')).toEqual([])
  })
})

describe('catalog.window_opened', () => {
  const week = '2026-W50'
  const discounted = (window: object, more: object = {}) => aRate('open', { market_class: 'discounted', week, window, ...more })

  it('is sent at publish for a window that is open, once per window, naming its rates', async () => {
    const closes = '2999-01-01T00:00:00Z'
    await put('rate-cards', aCard('w-open', [discounted({ closes }), discounted({ closes }, { spot_length: 15 })]))
    const [notice, ...others] = await windows(app.tokens.buyers.zenith)
    expect(others).toEqual([])
    const closing = '2999-01-01T00:00:00.000Z'
    expect(notice?.data).toMatchObject({ product_id: 'open', week, market_class: 'discounted', closes: closing, opens: expect.any(String) })
    expect(notice?.data.locked_rate_ids).toHaveLength(2)
    expect(await windows(app.tokens.sellers.cable)).toEqual([])
  })

  it('is sent once when a window opens, with the prices still in force, and never after it closed', async () => {
    const before = (await windows(app.tokens.buyers.zenith)).length
    const later = { opens: '2999-02-01T00:00:00Z', closes: '2999-03-01T00:00:00Z' }
    const brief = { opens: '2999-02-01T00:00:00Z', closes: '2999-02-01T00:00:01Z' }
    const over = { opens: '2001-01-01T00:00:00Z', closes: '2001-01-02T00:00:00Z' }
    await put(
      'rate-cards',
      aCard('w-later', [
        discounted(later, { advertiser_class: 'kept' }),
        discounted(later, { advertiser_class: 'replaced' }),
        discounted(brief, { advertiser_class: 'brief' }),
        discounted(over, { advertiser_class: 'over' }),
      ]),
    )
    await put('rate-cards', aCard('w-newer', [aRate('open', { market_class: 'discounted', week, advertiser_class: 'replaced' })]))
    const { db } = app.deps
    expect(await openDueWindows(db, '2999-01-31T00:00:00.000Z')).toBe(0)
    expect(await windows(app.tokens.buyers.zenith)).toHaveLength(before)
    const due = await Promise.all(Array.from({ length: 4 }, () => openDueWindows(db, '2999-02-02T00:00:00.000Z')))
    expect(due.reduce((sum, count) => sum + count)).toBe(2)
    const opened = (await windows(app.tokens.buyers.zenith)).slice(before)
    expect(opened).toHaveLength(1)
    expect(opened[0]?.data).toMatchObject({ opens: '2999-02-01T00:00:00.000Z', closes: '2999-03-01T00:00:00.000Z' })
    expect(opened[0]?.data.locked_rate_ids).toHaveLength(1)
  })
})
