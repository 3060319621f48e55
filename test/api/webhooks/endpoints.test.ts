import { describe, expect, it } from '@jest/globals'
import { EVENT_TYPES } from '../../../src/contract/vocabulary.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

const URL_OF = 'https://hooks.acme.example/orders'
const registered = async (more: Record<string, unknown> = {}, who: 'acme' | 'zenith' | 'cable' = 'acme') => {
  const { status, body } = await market[who].post('/webhooks/endpoints', { url: URL_OF, ...more })
  expect(status).toBe(201)
  return body as { endpoint_id: string; secret: string }
}
const at = ({ endpoint_id }: { endpoint_id: string }, path = '') => `/webhooks/endpoints/${endpoint_id}${path}`
const disable = async ({ endpoint_id }: { endpoint_id: string }) =>
  market.deps.db.pool.query(`update webhook_endpoints set status = 'disabled', disabled_reason = 'gone' where endpoint_id = $1`, [
    endpoint_id,
  ])

describe('POST /webhooks/endpoints: 201', () => {
  it('shows the secret once, and reads what was left out back as null', async () => {
    const { secret, ...endpoint } = await registered()
    expect(endpoint).toEqual({
      endpoint_id: expect.stringMatching(/^whe_/),
      url: URL_OF,
      events: null,
      statuses: null,
      credential_id: expect.stringMatching(/^cred_/),
      readable_events: [...EVENT_TYPES],
      status: 'active',
      created_at: expect.any(String),
    })
    expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32)
    expect((await market.acme.get(at(endpoint))).body).toEqual(endpoint)
  })

  it('takes filters without duplicates, and the same URL twice', async () => {
    const events = ['order.status_changed', 'catalog.window_opened', 'order.status_changed']
    expect(await registered({ events, statuses: ['placed', 'placed'] })).toMatchObject({ events: events.slice(0, 2), statuses: ['placed'] })
  })

  it('takes back the filters that it shows', async () => {
    expect(await registered({ events: null, statuses: null })).toMatchObject({ events: null, statuses: null })
  })

  it('serves sellers too', async () => expect(await registered({}, 'cable')).toMatchObject({ url: URL_OF }))

  it('keeps no secret in the clear', async () => {
    const { secret } = await registered()
    const { rows } = await market.deps.db.pool.query<{ row: string }>('select w::text as row from webhook_endpoints w')
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    for (const { row } of rows) {
      expect(row).not.toContain(secret)
      expect(row).not.toContain(key.toString('hex'))
      expect(row).not.toContain(Buffer.from(secret).toString('hex'))
    }
  })
})

describe('POST /webhooks/endpoints: 422', () => {
  it.each([
    ['no URL', {}, 'url'],
    ['an invalid URL', { url: 'hooks' }, 'url'],
    ['plain http', { url: 'http://hooks.acme.example/' }, 'url'],
    ['an address', { url: 'https://93.184.215.14/' }, 'url'],
    ['the metadata address', { url: 'http://169.254.169.254/latest' }, 'url'],
    ['a password', { url: 'https://a:b@hooks.acme.example/' }, 'url'],
    ['another port', { url: 'https://hooks.acme.example:22/' }, 'url'],
    ['an unknown event', { url: URL_OF, events: ['order.status_changed', 'order.placed'] }, 'events.1'],
    ['an unknown status', { url: URL_OF, statuses: ['shipped'] }, 'statuses.0'],
    ['no event at all', { url: URL_OF, events: [] }, 'events'],
    ['no status at all', { url: URL_OF, statuses: [] }, 'statuses'],
  ])('refuses %s', async (_, body, field) => {
    const reply = await market.acme.post('/webhooks/endpoints', body)
    expect([reply.status, reply.body.error_code, reply.body.details.field]).toEqual([422, 'INVALID_INPUT', field])
  })

  it('refuses one more than a tenant may have', async () => {
    for (let made = 0; made < 50; made += 1) await registered({}, 'zenith')
    const reply = await market.zenith.post('/webhooks/endpoints', { url: URL_OF })
    expect([reply.status, reply.body.details.most]).toEqual([422, 50])
  })
})

describe('POST /webhooks/endpoints: a server on this machine', () => {
  const production = useMarket({ mode: 'production' })

  it('is 201 in the sandbox and 422 in production', async () => {
    const local = { url: 'http://localhost:3000/hook' }
    expect((await market.acme.post('/webhooks/endpoints', local)).status).toBe(201)
    const reply = await production.acme.post('/webhooks/endpoints', local)
    expect([reply.status, reply.body.details.field]).toEqual([422, 'url'])
  })
})

describe('GET /webhooks/endpoints: 200', () => {
  it("pages the tenant's own, oldest first, without secrets", async () => {
    const first = (await market.zenith.get('/webhooks/endpoints?limit=30')).body
    const second = (await market.zenith.get(`/webhooks/endpoints?limit=30&cursor=${first.next_cursor}`)).body
    expect([first.items.length, second.items.length, second.next_cursor]).toEqual([30, 20, null])
    const ids = [...first.items, ...second.items].map(({ endpoint_id }: { endpoint_id: string }) => endpoint_id)
    expect(ids).toEqual([...new Set(ids)].sort())
    expect(JSON.stringify([first, second])).not.toContain('secret')
  })

  it('says that an endpoint is disabled, and why', async () => {
    const endpoint = await registered()
    await disable(endpoint)
    expect((await market.acme.get(at(endpoint))).body).toMatchObject({ status: 'disabled', disabled_reason: 'gone' })
    const { body } = await market.acme.post(at(endpoint, '/enable'), undefined)
    expect(body).toMatchObject({ status: 'active' })
    expect(body).not.toHaveProperty('disabled_reason')
  })
})

describe('DELETE /webhooks/endpoints/{id}: 204', () => {
  it('removes it, once or twice, and stops what is on its way', async () => {
    const endpoint = await registered()
    await market.acme.post(at(endpoint, '/test'), undefined)
    expect((await market.acme.delete(at(endpoint))).status).toBe(204)
    expect((await market.acme.delete(at(endpoint))).status).toBe(204)
    expect((await market.acme.get(at(endpoint))).status).toBe(404)
    for (const path of ['/enable', '/rotate-secret', '/test'])
      expect((await market.acme.post(at(endpoint, path), undefined)).status).toBe(404)
    const { rows } = await market.deps.db.pool.query('select status from deliveries where endpoint_id = $1', [endpoint.endpoint_id])
    expect(rows).toEqual([{ status: 'dropped' }])
  })
})

describe('POST /webhooks/endpoints/{id}/rotate-secret: 200', () => {
  it('returns a new secret and says until when the old one is valid', async () => {
    const endpoint = await registered()
    const { status, body } = await market.acme.post(at(endpoint, '/rotate-secret'), undefined)
    expect(status).toBe(200)
    expect(body.secret).toMatch(/^whsec_/)
    expect(body.secret).not.toBe(endpoint.secret)
    const hours = (Date.parse(body.previous_secret_valid_until) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23.9)
    expect(hours).toBeLessThanOrEqual(24)
  })
})

describe('POST /webhooks/endpoints/{id}/rotate-secret: 422', () => {
  it('keeps every earlier secret valid for its full time, and says from when the next rotation is possible', async () => {
    const endpoint = await registered()
    const rotate = () => market.acme.post(at(endpoint, '/rotate-secret'), undefined)
    const first = (await rotate()).body
    for (let rotations = 1; rotations < 5; rotations += 1) expect((await rotate()).status).toBe(200)
    const { status, body } = await rotate()
    expect([status, body.error_code]).toEqual([422, 'INVALID_INPUT'])
    expect(body.details).toMatchObject({ most: 5, possible_from: first.previous_secret_valid_until })
  })
})

describe('POST /webhooks/endpoints: 201, the URL', () => {
  it('is stored with a normalized scheme and host, and notify_url may name either form', async () => {
    const endpoint = await registered({ url: 'HTTPS://Bücher.example/Orders' })
    expect(endpoint).toMatchObject({ url: 'https://xn--bcher-kva.example/Orders' })
    for (const notify_url of ['HTTPS://Bücher.example/Orders', 'https://xn--bcher-kva.example/Orders'])
      expect((await market.acme.post('/orders', market.order({ notify_url }))).status).toBe(201)
  })
})

describe('POST …/test, …/redeliver: 409', () => {
  it('sends nothing to an endpoint that is disabled', async () => {
    const endpoint = await registered()
    const { body: sent } = await market.acme.post(at(endpoint, '/test'), undefined)
    await disable(endpoint)
    const asked = [
      await market.acme.post(at(endpoint, '/test'), undefined),
      await market.acme.post(at(endpoint, `/deliveries/${sent.delivery_id}/redeliver`), undefined),
      await market.acme.post(at(endpoint, '/redeliver'), { from: '2030-01-01T00:00:00Z' }),
    ]
    for (const { status, body } of asked) expect([status, body.error_code, body.details.status]).toEqual([409, 'INVALID_STATE', 'disabled'])
  })
})

describe('GET …/deliveries: 200', () => {
  it('lists what is on its way, newest first, by status and order, a page at a time', async () => {
    const endpoint = await registered({ statuses: ['submitted', 'seller_review'], events: ['order.status_changed'] }, 'cable')
    const [one, two] = [await market.parked(), await market.created()]
    const list = async (query = '') => (await market.cable.get(at(endpoint, `/deliveries${query}`))).body
    const all = await list()
    expect(all.items.map(({ order_id, seq }: { order_id: string; seq: number }) => [order_id, seq])).toEqual([
      [two, 1],
      [one, 3],
      [one, 1],
    ])
    expect(all.items[0]).toEqual({
      delivery_id: expect.stringMatching(/^dlv_/),
      event_type: 'order.status_changed',
      event_id: `${two}:1`,
      order_id: two,
      seq: 1,
      status: 'pending',
      created_at: expect.any(String),
      attempts: [],
    })
    expect((await list(`?order_id=${one}`)).items).toHaveLength(2)
    expect((await list('?status=dropped')).items).toEqual([])
    const page = await list('?limit=2')
    expect([...page.items, ...(await list(`?limit=2&cursor=${page.next_cursor}`)).items]).toEqual(all.items)
  })
})

describe('GET …/deliveries: 422', () => {
  it('refuses an unknown status', async () => {
    expect((await market.cable.get(at(await registered({}, 'cable'), '/deliveries?status=lost'))).status).toBe(422)
  })
})

describe('POST …/redeliver: 202', () => {
  it('sends one delivery again as another, with the same event', async () => {
    const endpoint = await registered()
    const { body: first } = await market.acme.post(at(endpoint, '/test'), undefined)
    const { status, body: again } = await market.acme.post(at(endpoint, `/deliveries/${first.delivery_id}/redeliver`), undefined)
    expect(status).toBe(202)
    expect(again).toMatchObject({ event_id: first.event_id, redelivery_of: first.delivery_id, status: 'pending', attempts: [] })
    expect(again.delivery_id > first.delivery_id).toBe(true)
  })

  it('sends what was dropped in a time range, in its order, and nothing else', async () => {
    const endpoint = await registered()
    const sent: string[] = []
    for (let pings = 0; pings < 4; pings += 1) sent.push((await market.acme.post(at(endpoint, '/test'), undefined)).body.delivery_id)
    const attempt = { at: new Date().toISOString(), latency_ms: 1 }
    const { rows } = await market.deps.db.pool.query<{ created_at: string }>(
      `with numbered as (select delivery_no, row_number() over (order by delivery_no) % 2 = 0 as is_dropped from deliveries where endpoint_id = $1),
        ended as (update deliveries d set made = 1, status = case when is_dropped then 'dropped' else 'delivered' end,
          attempts = case when is_dropped then $2 else $3 end from numbered where d.delivery_no = numbered.delivery_no returning created_at)
        select min(created_at) as created_at from ended`,
      [endpoint.endpoint_id, JSON.stringify([{ ...attempt, status_code: 500 }]), JSON.stringify([{ ...attempt, status_code: 200 }])],
    )
    const from = rows[0]?.created_at
    expect((await market.acme.post(at(endpoint, '/redeliver'), { from })).body).toEqual({
      endpoint_id: endpoint.endpoint_id,
      redelivered: 2,
    })
    const { body } = await market.acme.get(at(endpoint, '/deliveries?status=pending'))
    expect(body.items).toHaveLength(2)
    for (const { redelivery_of } of body.items) expect(sent).toContain(redelivery_of)
    for (const odd of ['0000-01-01T00:00:00Z', '1970-01-01T00:00:00-23:59'])
      expect((await market.acme.post(at(endpoint, '/redeliver'), { from: '0001-01-01T00:00:00Z', to: odd })).body.redelivered).toBe(0)
    const later = { from: '2999-01-01T00:00:00Z' }
    expect((await market.acme.post(at(endpoint, '/redeliver'), later)).body.redelivered).toBe(0)
    expect((await market.acme.post(at(endpoint, '/redeliver'), { from, to: from, status: 'delivered' })).body.redelivered).toBe(0)
    expect((await market.acme.post(at(endpoint, '/redeliver'), { from, status: 'delivered' })).body.redelivered).toBe(2)
  })
})

describe('POST …/redeliver: 404', () => {
  it('is the answer for a delivery of another endpoint, and for an invalid id', async () => {
    const [mine, other] = [await registered(), await registered()]
    const { body } = await market.acme.post(at(other, '/test'), undefined)
    for (const id of [body.delivery_id, 'dlv_0', 'dlv_zzzzzzzzzzzzz', 'x'])
      expect((await market.acme.post(at(mine, `/deliveries/${id}/redeliver`), undefined)).status).toBe(404)
  })
})

describe('POST …/redeliver: 422', () => {
  it('requires a time range', async () => {
    const endpoint = await registered()
    const reply = await market.acme.post(at(endpoint, '/redeliver'), { to: 'now' })
    expect([reply.status, reply.body.details.missing, reply.body.details.errors.length]).toEqual([422, ['from'], 2])
  })
})

describe('notify_url', () => {
  const url = 'https://notify.acme.example/orders'

  it('must be the exact URL of an active endpoint of this buyer, else 422', async () => {
    const tried = async (notify_url: string) => market.acme.post('/orders', market.order({ notify_url }))
    const refused = async (notify_url: string) => {
      const { status, body } = await tried(notify_url)
      expect([status, body.error_code, body.details.field]).toEqual([422, 'INVALID_INPUT', 'notify_url'])
    }
    await refused(url)
    await registered({ url }, 'cable') // another tenant's
    await refused(url)
    const endpoint = await registered({ url })
    await refused(`${url}/`)
    await refused(url.toUpperCase())
    expect((await tried(url)).status).toBe(201)
    await disable(endpoint)
    await refused(url)
  })

  it("gets that order's events regardless of its filters; the others are unaffected", async () => {
    const named = await registered({ url, statuses: ['canceled'], events: ['order.status_changed'] })
    const other = await registered({ statuses: ['seller_review'], events: ['order.status_changed'] })
    const order = await market.parked({ notify_url: url })
    const plain = await market.parked()
    const sent = async (endpoint: { endpoint_id: string }) => {
      const { body } = await market.acme.get(at(endpoint, '/deliveries'))
      return body.items.map(({ order_id, seq }: { order_id: string; seq: number }) => `${order_id}:${seq}`).reverse()
    }
    expect(await sent(named)).toEqual([1, 2, 3].map((seq) => `${order}:${seq}`))
    expect(await sent(other)).toEqual([`${order}:3`, `${plain}:3`])
    expect((await market.acme.get(`/orders/${order}`)).body.notify_url).toBe(url)
  })
})
