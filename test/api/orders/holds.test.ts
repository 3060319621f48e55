import { beforeAll, describe, expect, it } from '@jest/globals'
import { deleteOldHoldKeys } from '../../../src/store/orders/openHold.ts'
import { postWith } from '../../support/http/postWith.ts'
import { citing, heldBy, heldLine, holdAsk, runOutHold, statusOfHold } from '../../support/orders/holds.ts'
import { anAvail } from '../../support/orders/published.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
beforeAll(async () => {
  await market.cable.put('/me/capabilities', { holds: true })
})

const ask = holdAsk
const held = (more: Record<string, unknown> = {}) => heldBy(market, more)
const runOut = (holdId: string) => runOutHold(market, holdId)
const statusOf = (holdId: string) => statusOfHold(market, holdId)
const week = (start: string) => ({ grain: 'week', start })

describe('POST /holds: 201', () => {
  it('answers the hold as later reads show it, and leaves a row that wakes its workflow', async () => {
    const reply = await market.acme.post('/holds', ask())
    expect(reply.body).toEqual({
      hold_id: expect.stringMatching(/^hold_/),
      seller: 'cable',
      status: 'held',
      lines: [heldLine()],
      created_at: expect.any(String),
      expires_at: expect.any(String),
      order_id: null,
    })
    const { created_at, expires_at, hold_id } = reply.body
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(15 * 60_000)
    expect((await market.acme.get(`/holds/${hold_id}`)).body).toEqual(reply.body)
    const { rows } = await market.deps.db.pool.query(`select kind from outbox where target = $1`, [hold_id])
    expect(rows).toEqual([{ kind: 'hold' }])
  })
})

describe('POST /holds: 422', () => {
  it.each([
    ['seller', { seller: 'station', lines: [heldLine({ product_id: 'news' })] }], // takes no holds
    ['seller', { seller: 'nobody' }],
    ['ttl_minutes', { ttl_minutes: 0 }],
    ['ttl_minutes', { ttl_minutes: 1441 }],
    ['ttl_minutes', { ttl_minutes: undefined }],
    ['lines', { lines: [] }],
    ['lines.0.units', { lines: [heldLine({ units: 0 })] }],
    ['lines.1.product_id', { lines: [heldLine(), heldLine({ product_id: 'nothing' })] }],
    ['lines.0.product_id', { lines: [heldLine({ product_id: 'hidden' })] }],
    ['lines.0.period.start', { lines: [heldLine({ period: week('2030-W53') })] }],
    ['lines.0.period', { lines: [heldLine({ product_id: 'spring', period: week('2030-W24') })] }], // not sold any more
    ['lines.0.period', { lines: [heldLine({ product_id: 'finale', period: week('2030-W24') })] }],
  ])('names %s', async (field, more) => {
    const reply = await market.acme.post('/holds', ask(more))
    expect([reply.status, reply.body.error_code, reply.body.details.field]).toEqual([422, 'INVALID_INPUT', field])
  })

  it.each([
    ['another spot length', { spot_length: 15 }],
    ['a week without a price', { period: week('2030-W27') }],
    ['a month of which no week has one', { period: { grain: 'month', start: '2030-08' } }],
  ])('is refused for %s: what is held must be priced for this buyer', async (_, more) => {
    const reply = await market.acme.post('/holds', ask({ lines: [heldLine(), heldLine(more)] }))
    expect([reply.status, reply.body.details.field]).toEqual([422, 'lines.1'])
  })

  it('is refused past the bound of a buyer with one seller, and with all, by the bound’s name', async () => {
    const { db, holdBounds } = market.deps
    const { rows } = await db.pool.query(
      `select count(*)::int as n from holds where buyer_entity = 'acme' and status in ('asking', 'held') and expires_at > now()`,
    )
    const bounds = holdBounds as { perBuyer: number; perSeller: number }
    const before = { ...bounds }
    try {
      bounds.perSeller = rows[0].n + 2
      const replies = await Promise.all(Array.from({ length: 6 }, () => market.acme.post('/holds', ask())))
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422, 422, 422])
      const refused = await market.acme.post('/holds', ask())
      expect(refused.body.details).toMatchObject({ bound: 'HOLDS_PER_SELLER', most: bounds.perSeller })
      Object.assign(bounds, { perBuyer: bounds.perSeller, perSeller: bounds.perSeller + 1 })
      expect((await market.acme.post('/holds', ask())).body.details).toMatchObject({ bound: 'HOLDS_PER_BUYER' })
      const one = replies.find(({ status }) => status === 201)
      await market.acme.delete(`/holds/${one?.body.hold_id}`)
      expect((await market.acme.post('/holds', ask())).status).toBe(201)
    } finally {
      Object.assign(bounds, before)
    }
  })
})

describe('POST /holds: 409', () => {
  it('is INVENTORY_UNAVAILABLE where the seller published no availability', async () => {
    const reply = await market.acme.post('/holds', ask({ lines: [heldLine({ product_id: 'weekend', period: week('2030-W24') })] }))
    expect([reply.status, reply.body.error_code]).toEqual([409, 'INVENTORY_UNAVAILABLE'])
  })

  it('is INVENTORY_UNAVAILABLE where all lines of a period ask for more than the seller published', async () => {
    const published = (available: number) =>
      market.cable.put('/me/avails', { avails: [anAvail('prime', { period: week('2030-W23'), spots: { available } })] })
    await published(24)
    const lines = (...units: number[]) => ask({ lines: units.map((one) => heldLine({ units: one })) })
    const over = await market.acme.post('/holds', lines(20, 5))
    expect([over.status, over.body.error_code, over.body.details.lines]).toEqual([409, 'INVENTORY_UNAVAILABLE', [0, 1]])
    const day = { period: { grain: 'day', start: '2030-06-06' }, units: 25 }
    expect((await market.acme.post('/holds', ask({ lines: [heldLine(day)] }))).status).toBe(409)
    expect((await market.acme.post('/holds', lines(20, 4))).status).toBe(201)
    expect((await market.acme.post('/orders', market.order({ line_items: [market.line({ units: 1_000 })] }))).status).toBe(201)
    await published(12)
  })
})

describe('POST /holds: 403', () => {
  it('is FORBIDDEN to a buyer without permission to order', async () => {
    await market.cable.put('/me/buyers/zenith', { status: 'suspended' })
    const suspended = await market.zenith.post('/holds', ask())
    expect([suspended.status, suspended.body.error_code]).toEqual([403, 'FORBIDDEN'])
    await market.cable.put('/me/capabilities', { holds: true, access: 'allowlist' })
    const unlisted = await market.acme.post('/holds', ask())
    expect([unlisted.status, unlisted.body.error_code]).toEqual([403, 'FORBIDDEN'])
    await market.cable.put('/me/capabilities', { holds: true })
  })
})

const send = (key: string, body: object, tenant = market.acme) => postWith(market, tenant, '/holds', { 'Idempotency-Key': key }, body)

describe('POST /holds with an Idempotency-Key: 201', () => {
  it('is the same reply again for the same body, also when the requests race', async () => {
    const first = await send('k-1', ask())
    const again = await send('k-1', ask())
    expect([first.status, first.headers['x-idempotent-replay']]).toEqual([201, undefined])
    expect([again.status, again.text, again.headers['x-idempotent-replay']]).toEqual([201, first.text, 'true'])
    const raced = await Promise.all(Array.from({ length: 6 }, () => send('k-2', ask())))
    const answered = raced.filter(({ status }) => status === 201)
    expect(new Set(answered.map(({ body }) => body.hold_id)).size).toBe(1)
    expect(raced.every(({ status }) => status === 201 || status === 409)).toBe(true)
  })

  it('is another hold under the same key of another buyer', async () => {
    await market.cable.put('/me/buyers/zenith', { status: 'active' })
    const { body } = await send('k-6', ask())
    const foreign = await send('k-6', ask(), market.zenith)
    expect(foreign.status).toBe(201)
    expect(foreign.body.hold_id).not.toBe(body.hold_id)
  })

  it('follows a refusal under the same key', async () => {
    expect((await send('k-4', ask({ ttl_minutes: 0 }))).status).toBe(422)
    expect((await send('k-4', ask())).status).toBe(201)
  })

  it('is repeated for more than a day, until the key is forgotten', async () => {
    const { db } = market.deps
    await send('k-5', ask())
    await db.pool.query(`update hold_keys set created_at = now() - interval '25 hours' where key = 'k-5'`)
    expect(await deleteOldHoldKeys(db, 100)).toBe(0)
    expect((await send('k-5', ask())).headers['x-idempotent-replay']).toBe('true')
    await db.pool.query(`update hold_keys set created_at = now() - interval '3 days' where key = 'k-5'`)
    expect(await deleteOldHoldKeys(db, 100)).toBe(1)
  })
})

describe('POST /holds with an Idempotency-Key: 409', () => {
  it('is CONFLICT with another body', async () => {
    expect((await send('k-3', ask())).status).toBe(201)
    const other = await send('k-3', ask({ ttl_minutes: 16 }))
    expect([other.status, other.body.error_code, other.body.details.field]).toEqual([409, 'CONFLICT', 'Idempotency-Key'])
  })
})

describe('POST /holds with an Idempotency-Key: 422', () => {
  it.each(['x'.repeat(256), 'two words'])('refuses the key %j', async (key) => {
    const { status, body } = await send(key, ask())
    expect([status, body.details.field]).toEqual([422, 'Idempotency-Key'])
  })
})

describe('GET /holds: 200', () => {
  it('lists the buyer’s own, newest first, page by page, by status', async () => {
    const [kept, released, over] = [await held(), await held(), await held()]
    await market.acme.delete(`/holds/${released}`)
    await runOut(over)
    const { body: all } = await market.acme.get('/holds')
    expect(all.items.slice(0, 3)).toMatchObject([
      { hold_id: over, status: 'expired' },
      { hold_id: released, status: 'released' },
      { hold_id: kept, status: 'held' },
    ])
    const { body: page } = await market.acme.get('/holds?limit=2')
    const { body: next } = await market.acme.get(`/holds?limit=2&cursor=${page.next_cursor}`)
    expect([...page.items, ...next.items]).toEqual(all.items.slice(0, 4))
    for (const status of ['held', 'expired', 'released']) {
      const { body } = await market.acme.get(`/holds?status=${status}`)
      expect(body.items.length).toBeGreaterThan(0)
      expect(body.items.every((hold: { status: string }) => hold.status === status)).toBe(true)
    }
    const { body: theirs } = await market.zenith.get('/holds')
    expect(theirs.items.map(({ hold_id }: { hold_id: string }) => hold_id)).not.toContain(kept)
  })
})

describe('GET /holds: 422', () => {
  it('is the answer to a status that buyers do not see', async () => {
    const { status, body } = await market.acme.get('/holds?status=asking')
    expect([status, body.details.field]).toEqual([422, 'status'])
  })
})

describe('DELETE /holds/{id}: 200', () => {
  it('releases once, and the hold stays readable', async () => {
    const hold = await held()
    const first = await market.acme.delete(`/holds/${hold}`)
    expect([first.status, first.body.status]).toEqual([200, 'released'])
    expect((await market.acme.delete(`/holds/${hold}`)).body).toEqual(first.body)
    expect(await statusOf(hold)).toBe('released')
  })

  it('leaves one that has expired as it ended', async () => {
    const hold = await held()
    await runOut(hold)
    const reply = await market.acme.delete(`/holds/${hold}`)
    expect([reply.status, reply.body.status]).toEqual([200, 'expired'])
  })
})

describe('DELETE /holds/{id}: 409', () => {
  it('is INVALID_STATE for one that an order has used', async () => {
    const hold = await held()
    const { body: order } = await market.acme.post('/orders', citing(market, hold))
    const reply = await market.acme.delete(`/holds/${hold}`)
    expect([reply.status, reply.body.error_code, reply.body.details]).toMatchObject([
      409,
      'INVALID_STATE',
      { status: 'used', order_id: order.order_id },
    ])
  })
})
