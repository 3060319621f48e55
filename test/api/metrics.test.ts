import { describe, expect, it } from '@jest/globals'
import { REGISTRY } from '../../src/metrics/registry.ts'
import { seriesOf } from '../support/metrics/scrape.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
const series = async () => seriesOf(await REGISTRY.metrics())

describe('the metrics of the API', () => {
  it('count requests by the path of their endpoint, and refusals by their code', async () => {
    const orderId = await market.created()
    await market.acme.get(`/orders/${orderId}`)
    await market.acme.get('/orders/ord_unknown')
    const shown = await series()
    const count = (route: string, method: string, status: string) =>
      shown.get(`http_request_duration_seconds_count{route="${route}",method="${method}",status_class="${status}"}`)
    expect([
      count('/v1/orders', 'POST', '2xx'),
      count('/v1/orders/:order_id', 'GET', '2xx'),
      count('/v1/orders/:order_id', 'GET', '4xx'),
    ]).toEqual([1, 1, 1])
    expect(shown.get('refusals_total{code="NOT_FOUND"}')).toBe(1)
    expect(shown.get('http_requests_in_flight')).toBe(0)
  })

  it('count created orders and the events of commands', async () => {
    const before = await series()
    await market.placed()
    const after = await series()
    const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
    expect(grown('log_group_size_sum')).toBe(1)
    expect(grown('log_append_duration_seconds_count{what="creates"}')).toBe(1)
    expect(grown('log_events_total')).toBe(3)
  })
})
