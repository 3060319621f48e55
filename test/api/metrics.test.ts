import { describe, expect, it } from '@jest/globals'
import { REGISTRY } from '../../src/metrics/registry.ts'
import { seriesOf } from '../support/metrics/scrape.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
const series = async () => seriesOf(await REGISTRY.metrics())

/** Returns by how much each figure has grown since: the files of a worker of jest share the registry. */
function grownSince(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) {
  return (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
}

describe('the metrics of the API', () => {
  it('count requests by the path of their endpoint, and refusals by their code', async () => {
    const before = await series()
    const orderId = await market.created()
    await market.acme.get(`/orders/${orderId}`)
    await market.acme.get('/orders/ord_unknown')
    const shown = await series()
    const grown = grownSince(before, shown)
    const count = (route: string, method: string, status: string) =>
      grown(`http_request_duration_seconds_count{route="${route}",method="${method}",status_class="${status}"}`)
    expect([
      count('/v1/orders', 'POST', '2xx'),
      count('/v1/orders/:order_id', 'GET', '2xx'),
      count('/v1/orders/:order_id', 'GET', '4xx'),
    ]).toEqual([1, 1, 1])
    expect(grown('refusals_total{code="NOT_FOUND"}')).toBe(1)
    expect(shown.get('http_requests_in_flight')).toBe(0)
  })

  it('count created orders and the events of commands', async () => {
    const before = await series()
    await market.placed()
    const grown = grownSince(before, await series())
    expect(grown('log_group_size_sum')).toBe(1)
    expect(grown('log_append_duration_seconds_count{what="creates"}')).toBe(1)
    expect(grown('log_events_total')).toBe(3)
  })
})
