import { beforeAll, describe, expect, it } from '@jest/globals'
import { DELIVERIES_DROPPED } from '../../../src/metrics/work.ts'
import { dropPending } from '../../../src/store/delivery/deliveries.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const SECRET_PATH = 'services/T000/B000/of-the-tenant'
let waiting = ''
let failing = ''
let disabled = ''
let delivery = ''

beforeAll(async () => {
  const registered = async (who: 'acme' | 'cable', host: string) =>
    (await market[who].post('/webhooks/endpoints', { url: `https://${host}/${SECRET_PATH}?key=${SECRET_PATH}` })).body.endpoint_id as string
  waiting = await registered('acme', 'hooks.acme.example')
  failing = await registered('cable', 'hooks.cable.example:8443')
  disabled = await registered('acme', 'gone.acme.example')
  await registered('acme', 'quiet.acme.example')
  const { body } = await market.acme.post(`/webhooks/endpoints/${waiting}/test`, undefined)
  delivery = body.delivery_id
  await market.owner().query(`update webhook_endpoints set failing_since = now() - interval '1 hour' where endpoint_id = $1`, [failing])
  await market
    .owner()
    .query(`update webhook_endpoints set status = 'disabled', disabled_reason = 'gone' where endpoint_id = $1`, [disabled])
})

const list = async (query = '') => (await market.operations.get(`/ops/deliveries${query}`)).body.items as { endpoint_id: string }[]
const idsOf = (items: { endpoint_id: string }[]) => items.map(({ endpoint_id }) => endpoint_id)

describe('GET /ops/deliveries: 200', () => {
  it('lists the endpoints of every tenant that wait or fail, showing only their hosts', async () => {
    const { text, body } = await market.operations.get('/ops/deliveries')
    expect(idsOf(body.items)).toEqual([waiting, failing, disabled].sort())
    expect(body.items).toContainEqual(
      expect.objectContaining({ endpoint_id: waiting, tenant: 'acme', host: 'hooks.acme.example', status: 'active', waiting: 1 }),
    )
    expect(body.items).toContainEqual(expect.objectContaining({ endpoint_id: failing, host: 'hooks.cable.example:8443', waiting: 0 }))
    expect(body.items).toContainEqual(expect.objectContaining({ endpoint_id: disabled, status: 'disabled', disabled_reason: 'gone' }))
    expect((await market.operations.get('/ops/health')).body.webhook_endpoints).toEqual({ failing: 1, disabled: 1 })
    expect(text).not.toContain(SECRET_PATH)
    expect(text).not.toContain('whsec_')
  })

  it('lists either of them, in pages', async () => {
    expect(idsOf(await list('?state=waiting'))).toEqual([waiting])
    expect(idsOf(await list('?state=failing'))).toEqual([failing, disabled].sort())
    const { body } = await market.operations.get('/ops/deliveries?limit=2')
    const rest = await list(`?limit=2&cursor=${encodeURIComponent(body.next_cursor)}`)
    expect(idsOf([...body.items, ...rest])).toEqual([waiting, failing, disabled].sort())
  })
})

describe('GET /ops/deliveries/{endpoint_id}: 200', () => {
  it('lists the deliveries of an endpoint with their attempts', async () => {
    const { body } = await market.operations.get(`/ops/deliveries/${waiting}`)
    expect(body.items).toMatchObject([{ delivery_id: delivery, event_type: 'webhook.test', status: 'pending', attempts: [] }])
    expect((await market.operations.get(`/ops/deliveries/${waiting}?status=dropped`)).body.items).toEqual([])
  })
})

describe('GET /ops/deliveries/{endpoint_id}: 404', () => {
  it('is the answer for an unknown endpoint', async () => {
    expect((await market.operations.get('/ops/deliveries/whe_nothing')).status).toBe(404)
  })
})

describe('dropped deliveries', () => {
  it('are counted by endpoint and by reason', async () => {
    const counted = async () =>
      (await DELIVERIES_DROPPED.get()).values.find(({ labels }) => labels.reason === 'endpoint_disabled')?.value ?? 0
    const before = await counted()
    await market.acme.post(`/webhooks/endpoints/${waiting}/test`, undefined)
    await market.acme.post(`/webhooks/endpoints/${waiting}/test`, undefined)
    expect(await dropPending(market.deps.db, waiting, 'endpoint_disabled')).toBe(true)
    const dropped = (await market.operations.get(`/ops/deliveries/${waiting}?status=dropped`)).body.items.length
    expect((await counted()) - before).toBe(dropped)
    await market.acme.post(`/webhooks/endpoints/${waiting}/test`, undefined)
    expect(await list()).toContainEqual(expect.objectContaining({ endpoint_id: waiting, dropped, waiting: 1 }))
  })
})

const resend = (endpoint: string, id: string) => market.operations.post(`/ops/deliveries/${endpoint}/${id}/resend`, undefined)

describe('POST /ops/deliveries/{endpoint_id}/{delivery_id}/resend: 202', () => {
  it('sends the same event again, which the tenant and the audit log of the operators show', async () => {
    const { status, body } = await resend(waiting, delivery)
    expect([status, body]).toEqual([202, expect.objectContaining({ redelivery_of: delivery, status: 'pending' })])
    const { body: seen } = await market.acme.get(`/webhooks/endpoints/${waiting}/deliveries?limit=1`)
    expect(seen.items).toMatchObject([{ delivery_id: body.delivery_id }])
    const { body: audit } = await market.operations.get('/ops/audit?action=delivery.resent')
    expect(audit.items).toMatchObject([{ target: delivery, after: { endpoint_id: waiting, tenant: 'acme' } }])
  })
})

describe('POST /ops/deliveries/{endpoint_id}/{delivery_id}/resend: 404', () => {
  it.each([
    ['an unknown endpoint', () => ['whe_nothing', delivery]],
    ['a delivery of another endpoint', () => [failing, delivery]],
    ['an unknown delivery', () => [waiting, 'dlv_nothing']],
  ] satisfies [string, () => [string, string]][])('is the answer for %s, and records nothing', async (_, names) => {
    const acts = async () => (await market.operations.get('/ops/audit?action=delivery.resent')).body.items.length
    const before = await acts()
    const [endpoint, id] = names()
    expect((await resend(endpoint, id)).status).toBe(404)
    expect(await acts()).toBe(before)
  })
})

describe('POST /ops/deliveries/{endpoint_id}/{delivery_id}/resend: 409', () => {
  it('INVALID_STATE for an endpoint that is disabled', async () => {
    const { status, body } = await resend(disabled, delivery)
    expect([status, body.error_code, body.details]).toEqual([409, 'INVALID_STATE', { status: 'disabled' }])
  })
})
