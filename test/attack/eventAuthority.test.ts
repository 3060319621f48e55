import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { MockActivityEnvironment } from '@temporalio/testing'
import { deliveryActivities } from '../../activities/deliveries.ts'
import { createOutboundClient } from '../../src/adapters/http/outboundCall.ts'
import type { Scope, Side } from '../../src/contract/vocabulary/access.ts'
import { openWebhookDispatcher, type WebhookDispatcher } from '../../src/operations/webhooks/dispatcher.ts'
import { closeExpired } from '../../src/store/delivery/eventAuthority.ts'
import { dueQueues } from '../../src/store/delivery/queueDeliveries.ts'
import { issueCredential, revokeCredential } from '../../src/store/tenants/credentials.ts'
import { feedSettled } from '../support/engines/feedSettled.ts'
import { type Receiver, startReceiver } from '../support/http/receiver.ts'
import type { Tenant } from '../support/market.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'
import { report } from './support/table.ts'

const market = useMarket()
let dispatcher: WebhookDispatcher
let receiver: Receiver
const outbound = createOutboundClient({ allowLoopback: true })
beforeAll(async () => {
  dispatcher = openWebhookDispatcher({ db: market.deps.db, secrets: market.deps.secrets, outbound })
})
market.beforeStop(async () => {
  report('events past the scopes of a credential', { narrow_credentials: narrowed })
  await outbound.close()
})
beforeEach(async () => {
  receiver = await startReceiver()
})
/** The second credentials of a test, with a few scopes each. The first credential of a tenant has all scopes. */
let issued: string[] = []
let narrowed = 0
afterEach(async () => {
  receiver.close()
  for (const credential of issued) await revokeCredential(market.deps.db, credential)
  issued = []
})

interface Narrow extends Tenant {
  credential_id: string
}
async function narrow(entity: 'acme' | 'cable', side: Side, scopes: Scope[], ttlSeconds?: number): Promise<Narrow> {
  const ttl = ttlSeconds === undefined ? {} : { ttlSeconds }
  const { token, credential_id } = await issueCredential(market.deps.db, { entity, side, kind: 'test', scopes, ...ttl })
  issued.push(credential_id)
  narrowed += 1
  return { ...market.tenant(token), credential_id }
}
const TTL_SECONDS = 60
/** Lets a credential expire at once, and the authority that its one endpoint has of it. */
async function expire(credential: string): Promise<void> {
  const { rowCount } = await market.owner().query(
    `update webhook_endpoints e set authorized_until = now() from credentials c
      where c.credential_id = $1 and e.credential_id = c.credential_id and e.authorized_until = c.expires_at`,
    [credential],
  )
  expect(rowCount).toBe(1)
  await market.owner().query('update credentials set expires_at = now() where credential_id = $1', [credential])
}
const endpointOf = async (owner: Tenant, more: object = {}) => owner.post('/webhooks/endpoints', { url: receiver.url, ...more })
const deliver = (endpointId: string) => new MockActivityEnvironment().run(deliveryActivities(dispatcher).deliver, endpointId)
const typesAt = () => receiver.received.map(({ body }) => JSON.parse(body).event_type)
const read = async (owner: Tenant, endpointId: string) => (await owner.get(`/webhooks/endpoints/${endpointId}`)).body

let commits = 0
async function publishCard(): Promise<void> {
  const { unit_cost: _, locked_rate_id: __, currency: ___, ...rate } = market.line().rate as Record<string, unknown>
  const { body } = await market.cable.put('/me/rate-cards', {
    commit: `card-${++commits}`,
    effective: { start: '2030-06-03', end: '2030-06-09' },
    entries: [{ ...rate, product_id: 'prime', spot_length: 30, gross_rate_unit: 1250.5 }],
  })
  expect(body).toMatchObject({ accepted: 1 })
}

describe('catalog:write alone', () => {
  it.each([
    ['/me/secrets/pull', { value: 'mine' }],
    ['/me/capabilities', { approval: 'pull', transports: { pull: { base_url: 'https://attacker.example', secret_ref: 'pull' } } }],
  ])('may not PUT %s, through which orders are decided', async (path, body) => {
    const clerk = await narrow('cable', 'seller', ['catalog:write'])
    const reply = await clerk.put(path, body)
    expect([reply.status, reply.body.details]).toEqual([403, { required_scope: 'orders:approve' }])
  })
})

describe('a subscription', () => {
  it('of webhooks:write alone is refused by the scope that it lacks', async () => {
    const clerk = await narrow('acme', 'buyer', ['webhooks:write'])
    for (const reply of [
      await endpointOf(clerk),
      await endpointOf(clerk, { events: ['order.status_changed'] }),
      await clerk.put('/events/queue', {}),
    ])
      expect([reply.status, reply.body.details.required_scope]).toEqual([403, 'orders:read'])
  })

  it.each<[Scope, string, string]>([
    ['orders:read', 'catalog.rate_card_published', 'catalog:read'],
    ['catalog:read', 'order.status_changed', 'orders:read'],
    ['orders:read', 'settlement.invoice_issued', 'settlement:read'],
  ])('with %s may not name %s', async (scope, type, required_scope) => {
    const clerk = await narrow('acme', 'buyer', ['webhooks:write', scope])
    for (const reply of [await endpointOf(clerk, { events: [type] }), await clerk.put('/events/queue', { events: [type] })])
      expect([reply.status, reply.body.details]).toEqual([403, { field: 'events', required_scope }])
  })

  it('that names no types receives those that its credential can read', async () => {
    const [orders, catalog] = [
      await narrow('acme', 'buyer', ['webhooks:write', 'orders:read']),
      await narrow('cable', 'seller', ['webhooks:write', 'catalog:read']),
    ]
    const { body: ofOrders } = await endpointOf(orders)
    const { body: ofCatalog } = await endpointOf(catalog)
    expect([ofOrders.readable_events, ofOrders.events]).toEqual([['order.status_changed'], null])
    await market.created()
    await publishCard()
    await deliver(ofCatalog.endpoint_id)
    expect(typesAt()).toEqual([])
    await deliver(ofOrders.endpoint_id)
    expect(typesAt()).toEqual(['order.status_changed'])
  })

  it('is refused as notify_url unless it can read orders', async () => {
    const clerk = await narrow('acme', 'buyer', ['webhooks:write', 'catalog:read'])
    await endpointOf(clerk)
    const reply = await market.acme.post('/orders', market.order({ notify_url: receiver.url }))
    expect([reply.status, reply.body.details.field]).toEqual([422, 'notify_url'])
  })

  it('is not enabled by a credential that can read less', async () => {
    const { body } = await endpointOf(market.acme)
    const clerk = await narrow('acme', 'buyer', ['webhooks:write', 'catalog:read'])
    const reply = await clerk.post(`/webhooks/endpoints/${body.endpoint_id}/enable`, undefined)
    expect([reply.status, reply.body.details.required_scope]).toEqual([403, 'orders:read'])
  })

  it('shows in its log what its reader can read', async () => {
    const { body } = await endpointOf(market.acme)
    await market.created()
    await publishCard()
    const clerk = await narrow('acme', 'buyer', ['webhooks:write', 'catalog:read'])
    const { items } = (await clerk.get(`/webhooks/endpoints/${body.endpoint_id}/deliveries`)).body
    expect(items.map(({ event_type }: { event_type: string }) => event_type)).toEqual(['catalog.rate_card_published'])
    await market.acme.delete(`/webhooks/endpoints/${body.endpoint_id}`)
  })

  it('sends again what its caller can read, and mentions nothing else', async () => {
    const { body } = await endpointOf(market.acme)
    const at = `/webhooks/endpoints/${body.endpoint_id}`
    await market.created()
    await publishCard()
    const { items } = (await market.acme.get(`${at}/deliveries`)).body
    const [ofCard, ofOrder] = ['catalog.rate_card_published', 'order.status_changed'].map(
      (type) => items.find(({ event_type }: { event_type: string }) => event_type === type).delivery_id,
    )
    const clerk = await narrow('acme', 'buyer', ['webhooks:write', 'catalog:read'])
    const again = (delivery: string) => clerk.post(`${at}/deliveries/${delivery}/redeliver`, undefined)
    const unknown = await again('dlv_0000000000000')
    const refused = await again(ofOrder)
    expect([refused.status, refused.text]).toEqual([404, unknown.text])
    expect((await again(ofCard)).status).toBe(202)
    await market.deps.db.pool.query(`update deliveries set status = 'dropped' where endpoint_id = $1`, [body.endpoint_id])
    const range = { from: '2020-01-01T00:00:00Z' }
    expect((await clerk.post(`${at}/redeliver`, range)).body.redelivered).toBe(1)
    expect((await market.acme.post(`${at}/redeliver`, range)).body.redelivered).toBe(2)
    await market.acme.delete(at)
  })
})

describe('the feed', () => {
  it('returns what its reader can read, and names what it refuses', async () => {
    await market.created()
    await publishCard()
    await feedSettled(market.deps.db)
    const clerk = await narrow('acme', 'buyer', ['orders:read'])
    const { events } = (await clerk.get('/events/feed?limit=500')).body
    expect(new Set(events.map(({ event_type }: { event_type: string }) => event_type))).toEqual(new Set(['order.status_changed']))
    const refused = await clerk.get('/events/feed?events=catalog.rate_card_published')
    expect([refused.status, refused.body.details.required_scope]).toEqual([403, 'catalog:read'])
  })
})

describe('when the credential is revoked', () => {
  it('its endpoints stop within five seconds, even with deliveries waiting', async () => {
    const clerk = await narrow('acme', 'buyer', ['webhooks:write', 'orders:read'])
    const { body } = await endpointOf(clerk)
    await market.created()
    await revokeCredential(market.deps.db, clerk.credential_id)
    await market.created()
    await deliver(body.endpoint_id)
    expect(typesAt()).toEqual([])
    expect(await read(market.acme, body.endpoint_id)).toMatchObject({
      status: 'disabled',
      disabled_reason: 'credential_revoked',
      credential_id: null,
    })
    const [event] = (await market.acme.get('/audit?action=webhook_endpoint.disabled')).body.items
    expect(event).toMatchObject({ target: body.endpoint_id, after: { reason: 'credential_revoked' } })
  })

  it('a sender that is at work sends nothing more', async () => {
    const clerk = await narrow('acme', 'buyer', ['webhooks:write', 'orders:read'])
    const { body } = await endpointOf(clerk)
    await market.created()
    const working = deliver(body.endpoint_id)
    await until(() => receiver.received.length === 1)
    await revokeCredential(market.deps.db, clerk.credential_id)
    await market.created()
    await working
    expect(receiver.received.length).toBe(1)
  })

  it('another credential takes them over by enabling them', async () => {
    const clerk = await narrow('acme', 'buyer', ['webhooks:write', 'orders:read'])
    const { body } = await endpointOf(clerk)
    await revokeCredential(market.deps.db, clerk.credential_id)
    const enabled = await market.acme.post(`/webhooks/endpoints/${body.endpoint_id}/enable`, undefined)
    expect(enabled.body).toMatchObject({ status: 'active', events: null })
    await market.created()
    await deliver(body.endpoint_id)
    expect(typesAt()).toEqual(['order.status_changed'])
    await market.acme.delete(`/webhooks/endpoints/${body.endpoint_id}`)
  })

  it('they pass to its successor where one is named, and continue', async () => {
    const clerk = await narrow('acme', 'buyer', ['webhooks:write', 'orders:read'])
    const { body } = await endpointOf(clerk)
    const { credential_id: successor } = await endpointOf(market.acme, { statuses: ['failed'] }).then((reply) => reply.body)
    expect(await revokeCredential(market.deps.db, clerk.credential_id, { successor })).toEqual({ stopped: 0 })
    await market.created()
    await deliver(body.endpoint_id)
    expect(typesAt()).toEqual(['order.status_changed'])
    expect(await read(market.acme, body.endpoint_id)).toMatchObject({ status: 'active', credential_id: successor })
  })

  it('its queue stops, keeps its place, and continues when it is set up again', async () => {
    const due = async () => (await dueQueues(market.deps.db.pool, [])).filter(({ tenant }) => tenant === 'acme')
    const clerk = await narrow('acme', 'buyer', ['webhooks:write', 'orders:read'])
    await clerk.put('/events/queue', {})
    await market.created()
    await feedSettled(market.deps.db)
    const [before] = await due()
    expect(before?.readable).toEqual(['order.status_changed'])
    await revokeCredential(market.deps.db, clerk.credential_id)
    expect(await due()).toEqual([])
    expect((await market.acme.get('/events/queue')).body).toMatchObject({ credential_id: null, failing: { reason: 'credential_revoked' } })
    await market.acme.put('/events/queue', {})
    expect((await due())[0]?.at).toEqual(before?.at)
    await market.acme.delete('/events/queue')
  })
})

describe('when the credential expires', () => {
  it('its endpoints pass to an active one that can read as much', async () => {
    const clerk = await narrow('acme', 'buyer', ['webhooks:write', 'orders:read'], TTL_SECONDS)
    const { body } = await endpointOf(clerk)
    await expire(clerk.credential_id)
    await market.created()
    await deliver(body.endpoint_id)
    expect(typesAt()).toEqual(['order.status_changed'])
    expect((await read(market.acme, body.endpoint_id)).credential_id).not.toBe(clerk.credential_id)
    await market.acme.delete(`/webhooks/endpoints/${body.endpoint_id}`)
  })

  it('they stop without such a credential, at the same instant', async () => {
    const lone = { entity: 'lone', side: 'buyer', kind: 'test', ttlSeconds: TTL_SECONDS } as const
    for (let round = 0; round < 20; round++) {
      const { token, credential_id } = await issueCredential(market.deps.db, { ...lone, scopes: ['webhooks:write', 'orders:read'] })
      const { body } = await endpointOf(market.tenant(token))
      await expire(credential_id)
      await closeExpired(market.deps.db)
      const { rows } = await market.deps.db.pool.query('select status, disabled_reason from webhook_endpoints where endpoint_id = $1', [
        body.endpoint_id,
      ])
      expect(rows).toEqual([{ status: 'disabled', disabled_reason: 'credential_expired' }])
    }
  })
})
