import { beforeAll, describe, it } from '@jest/globals'
import { type ApiProcess, startApiProcess } from '../support/http/apiProcess.ts'
import { aCatalog, aProduct } from '../support/orders/published.ts'
import { useMarket } from '../support/useMarket.ts'
import { besideFlood, type Flood } from './support/besideFlood.ts'
import { call } from './support/call.ts'
import { attackMs, scale } from './support/scale.ts'
import { type Latency, quiet } from './support/victim.ts'

/** One tenant sends the same request to one endpoint without a pause, with the limits of production, while another reads and creates orders. */
const ATTACK_MS = attackMs(500, 30_000)
const BATCH = scale(8, 32)
/** The pause between two rounds of the other buyer, which keeps it below RATE_LIMIT_ORDERS (20 a second) on any machine. */
const PAUSE_MS = 60
const market = useMarket()
let api: ApiProcess
let orderId: string
let calm: Latency
beforeAll(async () => {
  orderId = await market.parked()
  api = await startApiProcess(market, { env: { LOG_LEVEL: 'fatal' } })
  await others() // warms up code
  calm = await quiet(others, { calls: scale(5, 150), pauseMs: PAUSE_MS })
}, 60_000)
market.beforeStop(async () => {
  await api.stop()
})

/** What another buyer does during the flood. */
async function others(): Promise<void> {
  const { token } = market.zenith
  await call(api.baseUrl, { path: '/orders', token })
  await call(api.baseUrl, { method: 'POST', path: '/orders', token, body: JSON.stringify(market.order()), status: 201 })
}

type Target = Pick<Flood, 'method'> & { name: string; path: () => string; by?: 'acme' | 'cable' | 'nobody'; body?: () => object }
const TARGETS: readonly Target[] = [
  { name: 'new orders', method: 'POST', path: () => '/orders', body: () => market.order() },
  { name: 'order previews', method: 'POST', path: () => '/orders/preview', body: () => market.order() },
  { name: 'one order', method: 'GET', path: () => `/orders/${orderId}` },
  { name: 'its events', method: 'GET', path: () => `/events?order=${orderId}` },
  { name: 'the feed from its beginning', method: 'GET', path: () => '/events/feed?limit=500' },
  { name: 'waits for the feed', method: 'GET', path: () => '/events/feed?after=now&wait_s=1' },
  { name: 'avails of a seller', method: 'GET', path: () => '/sellers/cable/avails' },
  { name: 'webhook endpoints', method: 'POST', path: () => '/webhooks/endpoints', body: () => ({ url: 'https://a.example/', events: [] }) },
  { name: 'uploads', method: 'POST', path: () => '/uploads', body: () => ({ filename: 'a.csv', format: 'csv', size: 10 }) },
  { name: 'decisions on other sellers’ orders', method: 'POST', by: 'cable', path: () => '/me/orders/ord_x/decide', body: () => ({}) },
  { name: 'catalogs', method: 'PUT', by: 'cable', path: () => '/me/catalog', body: () => aCatalog(aProduct('flood')) },
  { name: 'invalid tokens', method: 'GET', by: 'nobody', path: () => '/orders' },
]

describe('a flood of one tenant at one endpoint does not affect another', () => {
  it.each(TARGETS)(
    '$name',
    async ({ name, method, path, by = 'acme', body }) => {
      const token = by === 'nobody' ? market.acme.token.replace(/.$/, (last) => (last === '0' ? '1' : '0')) : market[by].token
      const sent = { method, path: path(), token, atOnce: BATCH, ...(body && { body: JSON.stringify(body()) }) }
      const { baseUrl } = api
      await besideFlood({ name: `flood: ${name}`, baseUrl, call: others, floods: [sent], ms: ATTACK_MS, calm, pauseMs: PAUSE_MS })
    },
    120_000,
  )
})
