import { beforeAll, describe, expect, it } from '@jest/globals'
import { apiUrl, type CreateOrder, MarketplaceError, type Operations, openClient } from '../../client/src/index.ts'
import { ENDPOINTS } from '../../src/contract/endpoints/groups.ts'
import { WEEKS } from '../support/market.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
let buyer: Operations
let seller: Operations
beforeAll(() => {
  const { baseUrl, acme, cable } = market
  buyer = openClient({ baseUrl, token: acme.token }).operations
  seller = openClient({ baseUrl, token: cable.token }).operations
})

describe('openClient', () => {
  it('has a method for every endpoint', () => {
    expect(Object.keys(buyer).sort()).toEqual(ENDPOINTS.map(({ name }) => name).sort())
  })

  it('fills the path, sends lists and numbers in the query, and returns typed replies', async () => {
    const path = { seller: 'cable' }
    const weeks = WEEKS.slice(2, 4)
    const { body } = await buyer.getAvails({ path, query: { product_id: 'prime', weeks } })
    expect(body.avails.map(({ product_id, period }) => [product_id, period.start])).toEqual(weeks.map((week) => ['prime', week]))
    const page = await buyer.getAvails({ path, query: { limit: 1 } })
    expect(page.body.avails).toHaveLength(1)
    const next = await buyer.getAvails({ path, query: { limit: 1, cursor: page.body.next_cursor ?? '' } })
    expect(next.body.avails).not.toEqual(page.body.avails)
  })

  it('encodes what a path contains', async () => {
    await expect(buyer.getOrder({ path: { order_id: 'a/../b?c' } })).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' })
  })

  it('places an order from JSON, and reports the same bytes as a replay', async () => {
    const body = market.order() as unknown as CreateOrder
    const first = await buyer.createOrder({ body })
    expect([first.status, first.replayed]).toEqual([201, false])
    const again = await buyer.createOrder({ body: JSON.stringify(body) })
    expect([again.replayed, again.text]).toEqual([true, first.text])
  })

  it('returns the ETag of an order, and sends it as If-Match', async () => {
    const order_id = await market.created()
    const { etag = '', body } = await buyer.getOrder({ path: { order_id } })
    expect(body.order_id).toBe(order_id)
    await market.validate(order_id)
    const cancel = (version: string) =>
      buyer.cancelOrder({ path: { order_id }, body: { actor: 'planner' }, headers: { 'If-Match': version } })
    await expect(cancel(etag)).rejects.toMatchObject({ status: 409, code: 'INVALID_STATE' })
    const now = await buyer.getOrder({ path: { order_id } })
    expect((await cancel(now.etag ?? '')).status).toBe(202)
  })

  it('sends bytes with their content type', async () => {
    const { body: upload } = await buyer.createUpload({ body: { filename: 'sheet.csv', format: 'csv', size_bytes: 4 } })
    const { upload_id } = upload
    const { body } = await buyer.putUploadContent({ path: { upload_id }, body: Buffer.from('a,b\n'), contentType: 'text/csv' })
    expect(body).toMatchObject({ upload_id, size_bytes: 4 })
  })

  it('returns no body where there is none', async () => {
    const { body } = await seller.createWebhookEndpoint({ body: { url: 'http://127.0.0.1:9/', events: ['order.status_changed'] } })
    const removed = await seller.deleteWebhookEndpoint({ path: { endpoint_id: body.endpoint_id } })
    expect([removed.status, removed.body, removed.text]).toEqual([204, undefined, ''])
  })

  it('fails with one MarketplaceError that holds every fault', async () => {
    const refused = await buyer.createOrder({ body: '{"seller":"cable"}' }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(MarketplaceError)
    const { status, code, errors, requestId, message } = refused as MarketplaceError
    expect([status, code]).toEqual([422, 'INVALID_INPUT'])
    expect(errors.length).toBeGreaterThan(1)
    expect(requestId).toMatch(/^[\w-]+$/)
    expect(message).toMatch(/^POST \/v1\/orders was refused with 422: INVALID_INPUT, .+ \(and \d+ more\)$/)
  })

  it('fails with MarketplaceError for a token that is not known', async () => {
    const stranger = openClient({ baseUrl: market.baseUrl, token: 'nobody' }).operations
    await expect(stranger.listSellers()).rejects.toMatchObject({ status: 401 })
  })
})

it.each(['http://127.0.0.1:8080', 'http://127.0.0.1:8080/', 'http://127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1/'])(
  '%s is the API at /v1',
  (baseUrl) => expect(apiUrl(baseUrl)).toBe('http://127.0.0.1:8080/v1'),
)

it('keeps the path before the version segment', () => {
  expect(apiUrl('https://market.example/ads')).toBe('https://market.example/ads/v1')
})
