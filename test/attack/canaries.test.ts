import { beforeAll, describe, expect, it } from '@jest/globals'
import { MockActivityEnvironment } from '@temporalio/testing'
import { deliveryActivities } from '../../activities/deliveries.ts'
import { createOutboundClient } from '../../src/adapters/http/outboundCall.ts'
import { ENDPOINTS } from '../../src/contract/endpoints/groups.ts'
import { SIDE_SCOPES } from '../../src/contract/vocabulary/access.ts'
import { openWebhookDispatcher } from '../../src/operations/webhooks/dispatcher.ts'
import { ACCESS } from '../support/access/access.ts'
import { forgedCredential } from '../support/access/accessWorld.ts'
import { feedSettled } from '../support/engines/feedSettled.ts'
import { type Receiver, startReceiver } from '../support/http/receiver.ts'
import { useMarket } from '../support/useMarket.ts'
import type { Canaries } from './support/canaries.ts'
import { IS_LONG, scale } from './support/scale.ts'
import { BUYERS, type Sown, sowCanaries, TENANTS } from './support/sowCanaries.ts'
import { report } from './support/table.ts'

const market = useMarket()
let canaries: Canaries
let sown: Sown
const receivers = {} as Record<string, Receiver>
beforeAll(async () => {
  for (const tenant of TENANTS) receivers[tenant] = await startReceiver()
  ;({ canaries, sown } = await sowCanaries(market, (tenant) => receivers[tenant]?.url ?? ''))
  await feedSettled(market.deps.db)
}, 120_000)
market.beforeStop(async () => {
  for (const receiver of Object.values(receivers)) receiver.close()
})

interface Asker {
  tenant: (typeof TENANTS)[number]
  token: string
}
const sideOf = (tenant: Asker['tenant']) => ((BUYERS as readonly string[]).includes(tenant) ? 'buyer' : 'seller')

/** Every tenant with all of its scopes, and in the long run also with each scope alone. */
async function askers(): Promise<Asker[]> {
  const whole = TENANTS.map((tenant): Asker => ({ tenant, token: market[tenant].token }))
  const narrow: Asker[] = []
  for (const tenant of IS_LONG ? TENANTS : []) {
    const side = sideOf(tenant)
    for (const scope of SIDE_SCOPES[side]) narrow.push({ tenant, token: await forgedCredential(market, tenant, side, { scopes: [scope] }) })
  }
  return [...whole, ...narrow]
}

interface Ask {
  method: (typeof ENDPOINTS)[number]['method']
  url: string
  body?: unknown
}

/** Query parameters that name something, with the key of their values in `sown`. */
const IN_QUERY: Record<string, string> = {
  order: 'order_id',
  order_id: 'order_id',
  agreement: 'agreement_id',
  seller: 'seller',
  product_id: 'product_id',
  external_order_id: 'external_order_id',
  cursor: 'cursor',
  after: 'after',
}

/** A read of every endpoint with every sown name in its path and in each parameter of its query. */
function readings(): Ask[] {
  return ENDPOINTS.filter(({ method }) => method === 'get').flatMap(({ path, query }) => {
    const names = Object.keys(query.shape).filter((name) => name in IN_QUERY)
    return pathsOf(path).flatMap((at) => {
      const filtered = names.flatMap((name) => (sown[IN_QUERY[name] ?? ''] ?? []).map((value) => `${at}?${name}=${value}`))
      const whole = 'limit' in query.shape ? [`${at}?limit=200`] : []
      return [at, ...whole, ...filtered].map((url): Ask => ({ method: 'get', url }))
    })
  })
}

function pathsOf(path: string): string[] {
  const [, param] = /:(\w+)/.exec(path) ?? []
  if (param === undefined) return [path]
  const values = param === 'name' ? ['pull'] : (sown[param] ?? [])
  return values.flatMap((value) => pathsOf(path.replace(`:${param}`, value)))
}

/** Every write with the body of the access table, and those whose body can name another tenant's things with every sown name. */
function writes(): Ask[] {
  const named = (name: string) => sown[name] ?? []
  const NAMING: Record<string, unknown[]> = {
    'post /orders': foreignOrders(),
    'post /orders/preview': foreignOrders(),
    'post /orders/:order_id/confirm': [
      { action: 'reject', actor: 'x', plan_id: 'p', reason: 'r', resolutions: [{ line: 1, product_id: named('product_id')[0] }] },
    ],
    'post /holds': named('product_id').map((product_id) => ({ seller: 'cable', lines: [{ ...LINE, product_id }], ttl_minutes: 1 })),
    'post /sellers/:seller/avails/requests': named('agreement_id').map((agreement) => ({
      product_id: named('product_id').at(-1),
      period: LINE.period,
      agreement,
    })),
    'put /me/rate-cards': named('agreement_id').map((agreement_id) => ({
      commit: 'attack',
      effective: { start: '2030-06-03', end: '2030-06-09' },
      entries: [{ product_id: 'prime' }],
      agreement_id,
    })),
    'put /me/avails': named('product_id').map((product_id) => ({
      avails: [{ product_id, period: LINE.period, state: 'available', basis: 1 }],
    })),
    'put /me/catalog': named('product_id').map((product_id) => ({
      taxonomy_version: 't',
      products: [{ product_id, mirror_product_id: product_id, type: 'none' }],
    })),
  }
  return ENDPOINTS.filter(({ method }) => method === 'post' || method === 'put').flatMap(({ method, path }) => {
    const operation = `${method} ${path}`
    return pathsOf(path).flatMap((url) =>
      [ACCESS[operation]?.body, ...(NAMING[operation] ?? [])].map((body): Ask => ({ method, url, body })),
    )
  })
}

const LINE = { product_id: 'prime', period: { grain: 'week', start: '2030-W23' }, units: 1, spot_length: 30 }
const NAMES_IN_ORDERS = ['agreement_id', 'hold_id', 'creative_id', 'upload_id', 'order_id', 'product_id'] as const
function foreignOrders(): unknown[] {
  return NAMES_IN_ORDERS.flatMap((name) =>
    (sown[name] ?? []).map((value) => {
      if (name === 'agreement_id') return market.order({ agreement_id: value })
      if (name === 'upload_id') return market.order({ line_items: undefined, document: { upload_id: value, format: 'pdf' } })
      if (name === 'order_id') return market.order({ revision: { supersedes: value } })
      return market.order({ line_items: [market.line({ [name]: value })] })
    }),
  )
}

const found: string[] = []
/** What each tenant has sent: the log of its refused requests shows it that again. */
const sentBy = new Map<string, string[]>()
let requests = 0
const statuses = new Map<number, number>()

async function sent({ tenant, token }: Asker, { method, url, body }: Ask): Promise<string> {
  const reply = await fetch(market.baseUrl + url, {
    method: method.toUpperCase(),
    headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  requests += 1
  statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
  const received = `${text}\n${JSON.stringify([...reply.headers])}`
  const ask = `${url} ${JSON.stringify(body)}`
  const earlier = sentBy.get(tenant) ?? []
  sentBy.set(tenant, earlier)
  earlier.push(ask)
  for (const leak of canaries.leaks(tenant, received, /^\/requests\b/.test(url) ? earlier.join(' ') : ask))
    found.push(`${tenant}: ${method} ${url} ${JSON.stringify(body)} answered ${reply.status} with ${leak}`)
  return text
}

/** Six at once, since most of the time is spent waiting for the database. */
async function everyOne(asker: Asker, asks: readonly Ask[]): Promise<void> {
  const left = [...asks]
  const next = async () => {
    for (let ask = left.pop(); ask !== undefined; ask = left.pop()) await sent(asker, ask)
  }
  await Promise.all(Array.from({ length: 6 }, next))
}

describe('what a tenant has written', () => {
  it('is in no reply to a tenant that is not a party to it', async () => {
    const every = await askers()
    sown.cursor = await cursorsOf(every.slice(0, TENANTS.length))
    sown.after = sown.cursor.slice(-4)
    for (const asker of every) await everyOne(asker, sample(readings(), 17))
    for (const asker of every) await everyOne(asker, sample(writes(), 29))
    await feedSettled(market.deps.db)
    for (const asker of every.slice(0, TENANTS.length)) await everyOne(asker, sample(readings(), 17))
    const { length: leaks } = found
    report('canaries in replies', {
      canaries: canaries.count(),
      credentials: every.length,
      requests,
      served: served(),
      unseen: canaries.unseen().length,
      leaks,
    })
    expect(found).toEqual([])
    // Almost all reach their readers, which shows that the search finds them.
    expect(canaries.unseen().length).toBeLessThan(canaries.count() / 10)
    // A credential of one scope is refused nearly everywhere, so the share is of what the scopes allow.
    expect(served()).toBeGreaterThan((requests - (statuses.get(403) ?? 0)) / 20)
    expect(statuses.get(404)).toBeGreaterThan(0)
    expect([...statuses.keys()].filter((status) => status >= 500 && status !== 503)).toEqual([])
  }, 1_200_000)

  it('is in no webhook to a tenant that is not a party to it', async () => {
    const outbound = createOutboundClient({ allowLoopback: true })
    const dispatcher = openWebhookDispatcher({ db: market.deps.db, secrets: market.deps.secrets, outbound })
    let deliveries = 0
    const leaks: string[] = []
    for (const tenant of TENANTS) {
      const { items } = (await market[tenant].get('/webhooks/endpoints')).body
      const mine = items.find(({ url }: { url: string }) => url === receivers[tenant]?.url)
      await new MockActivityEnvironment().run(deliveryActivities(dispatcher).deliver, mine.endpoint_id)
      for (const { body, headers } of receivers[tenant]?.received ?? []) {
        deliveries += 1
        leaks.push(...canaries.leaks(tenant, body + JSON.stringify(headers), ''))
      }
    }
    await dispatcher.close()
    await outbound.close()
    report('canaries in webhooks', { deliveries, leaks: leaks.length })
    expect(leaks).toEqual([])
    expect(deliveries).toBeGreaterThan(4 * TENANTS.length)
  }, 120_000)

  it('is read by its parties', async () => {
    const [orderId = ''] = sown.order_id
    const text = await sent({ tenant: 'acme', token: market.acme.token }, { method: 'get', url: `/orders/${orderId}` })
    expect(canaries.leaks('nobody', text, '').length).toBeGreaterThan(10)
  })
})

const served = () => [...statuses].filter(([status]) => status < 300).reduce((sum, [, times]) => sum + times, 0)

/** Some requests of each endpoint, and in the long run all of them. */
function sample(asks: Ask[], small: number): Ask[] {
  const step = scale(small, 1)
  const seen = new Set<string>()
  return asks.filter(({ method, url }, index) => {
    const operation = `${method} ${url.replace(/\?.*/, '')}`
    const isFirst = !operation.includes('_') && !seen.has(operation)
    seen.add(operation)
    return isFirst || index % step === 0 || url.endsWith('/reconciliation')
  })
}

/** The cursor of the second page of each list for each tenant, which other tenants then send. */
async function cursorsOf(every: readonly Asker[]): Promise<string[]> {
  const lists = ENDPOINTS.filter(({ method, path, query }) => method === 'get' && !path.includes(':') && 'limit' in query.shape)
  const cursors: string[] = []
  for (const asker of every) {
    for (const { path } of lists) {
      const body = JSON.parse(await sent(asker, { method: 'get', url: `${path}?limit=1` })) as { next_cursor?: string | null }
      if (typeof body.next_cursor === 'string') cursors.push(encodeURIComponent(body.next_cursor))
    }
  }
  return cursors
}
