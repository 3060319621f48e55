import { describe, expect, it } from '@jest/globals'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const production = useMarket({ mode: 'production' })

function send(fault: string, body: string, { baseUrl, acme }: Pick<typeof market, 'baseUrl' | 'acme'> = market) {
  const headers = { authorization: `Bearer ${acme.token}`, 'content-type': 'application/json', 'sandbox-simulate': fault }
  return fetch(`${baseUrl}/orders`, { method: 'POST', headers, body })
}
const ordersWith = async (external_order_id: string) =>
  (await market.acme.get(`/orders?external_order_id=${external_order_id}`)).body.orders.length

describe('Sandbox-Simulate', () => {
  it.each([
    ['503', 503, 'UNAVAILABLE'],
    ['429', 429, 'RATE_LIMITED'],
  ] as const)('%s is the answer, and nothing is done', async (fault, status, code) => {
    const order = market.order()
    const reply = await send(fault, JSON.stringify(order))
    expect([reply.status, reply.headers.get('retry-after'), ((await reply.json()) as { error_code: string }).error_code]).toEqual([
      status,
      '1',
      code,
    ])
    expect(await ordersWith(order.external_order_id)).toBe(0)
  })

  it('cut carries the call out and closes without a reply; the same bytes then get the stored one, byte for byte', async () => {
    const order = market.order()
    const body = JSON.stringify(order)
    await expect(send('cut', body)).rejects.toThrow()
    expect(await ordersWith(order.external_order_id)).toBe(1)
    const first = await market.acme.post('/orders', body)
    const second = await market.acme.post('/orders', body)
    expect([first.status, first.headers['x-idempotent-replay'], first.text]).toEqual([201, 'true', second.text])
  })

  it('cut gives no answer to what is refused and to reads either', async () => {
    await expect(send('cut', '{}')).rejects.toThrow()
    await expect(
      fetch(`${market.baseUrl}/sellers`, { headers: { authorization: `Bearer ${market.acme.token}`, 'sandbox-simulate': 'cut' } }),
    ).rejects.toThrow()
  })

  it('slow=1s serves the call after a second', async () => {
    const began = performance.now()
    expect((await send('slow=1s', JSON.stringify(market.order()))).status).toBe(201)
    expect(performance.now() - began).toBeGreaterThan(990)
  })

  it.each(['slow', 'slow=31s', 'slow=1', '500', ''])('%j is 422 with what is possible', async (fault) => {
    const reply = await send(fault, '{}')
    expect([reply.status, await reply.json()]).toMatchObject([
      422,
      { details: { field: 'Sandbox-Simulate', possible: ['503', '429', 'cut', 'slow=5s, up to 30'] } },
    ])
  })

  it('means nothing without a credential, and in production', async () => {
    const stranger = await fetch(`${market.baseUrl}/sellers`, { headers: { 'sandbox-simulate': '503' } })
    expect(stranger.status).toBe(401)
    expect((await send('503', JSON.stringify(production.order()), production)).status).toBe(201)
  })
})
