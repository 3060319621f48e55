import { beforeAll, describe, expect, it } from '@jest/globals'
import { parsedOrder, parseOf, sheetOf, takesDocuments } from '../../support/orders/documentOrders.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
beforeAll(async () => {
  await takesDocuments(market)
}, 60_000)

const confirm = (orderId: string, query = '', more: object = {}, buyer = market.acme) =>
  buyer.post(`/orders/${orderId}/confirm${query}`, { action: 'confirm', actor: 'Dana', ...more })
const dryRun = (orderId: string, more: object = {}, buyer = market.acme) => confirm(orderId, '?dry_run=true', more, buyer)
const rowsOf = async () =>
  (
    await market.owner().query(`select (select count(*) from order_events) as events, (select count(*) from order_outcomes) as outcomes,
    (select count(*) from outbox) as woken, (select count(*) from document_layouts) as layouts`)
  ).rows

describe('POST /orders/{id}/confirm?dry_run=true: 200', () => {
  it('returns the reply of the confirm with the lines that it would book, and writes and remembers nothing', async () => {
    const orderId = await parsedOrder(market, sheetOf({ Product: 'Evening Movie' }, { Week: '2030-W24', Units: 4 }))
    expect(parseOf(await market.snapshot(orderId)).unresolved).toMatchObject([{ line: 1 }])
    const answers = { resolutions: [{ line: 1, product_id: 'prime' }], remember: true }
    const before = await rowsOf()
    const { status, body } = await dryRun(orderId, answers)
    expect([status, body]).toMatchObject([
      200,
      { order_id: orderId, status: 'confirmed', line_items: [{ product_id: 'prime', units: 10 }, { units: 4 }], totals: { gross: 17_507 } },
    ])
    expect(await rowsOf()).toEqual(before)
    expect((await market.snapshot(orderId)).status).toBe('needs_confirmation')
    const { line_items: _, totals: __, ...reply } = body
    expect((await confirm(orderId, '', answers)).body).toEqual(reply)
  })
})

describe('POST /orders/{id}/confirm?dry_run=true: 404', () => {
  it('finds no order of another buyer', async () => {
    expect((await dryRun(await parsedOrder(market, sheetOf({})), {}, market.zenith)).status).toBe(404)
  })
})

describe('POST /orders/{id}/confirm?dry_run=true: 422', () => {
  it('names what is unresolved, as the confirm does', async () => {
    const orderId = await parsedOrder(market, sheetOf({ Product: 'Evening Movie' }))
    const { status, body } = await dryRun(orderId)
    expect([status, body.details.unresolved]).toMatchObject([422, [{ line: 1, field: 'product_id' }]])
  })
})
