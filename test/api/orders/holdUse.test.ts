import { beforeAll, describe, expect, it } from '@jest/globals'
import { CreateHold } from '../../../src/contract/hold.ts'
import { SellerProfile } from '../../../src/contract/seller.ts'
import { answerHold, sweepHolds, tendHold } from '../../../src/store/orders/holds.ts'
import { openHold } from '../../../src/store/orders/openHold.ts'
import { operator } from '../../../src/store/tenants/securityEvents.ts'
import { saveProfile } from '../../../src/store/tenants/sellers.ts'
import { citing as citingHold, heldBy, holdAsk, runOutHold, statusOfHold } from '../../support/orders/holds.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
beforeAll(async () => {
  await market.cable.put('/me/capabilities', { holds: true })
})

type More = Record<string, unknown>
const held = () => heldBy(market)
const citing = (holdId: string, more?: More, rate?: More) => citingHold(market, holdId, more, rate)
const statusOf = (holdId: string) => statusOfHold(market, holdId)
const runOut = (holdId: string) => runOutHold(market, holdId)

describe('a create line that cites a hold', () => {
  it('uses the hold up, echoes it, and replays', async () => {
    const hold = await held()
    const body = JSON.stringify(citing(hold))
    const { body: order } = await market.acme.post('/orders', body)
    expect((await market.acme.get(`/holds/${hold}`)).body).toMatchObject({ status: 'used', order_id: order.order_id })
    expect((await market.snapshot(order.order_id)).line_items).toMatchObject([{ hold_id: hold }])
    expect((await market.acme.post('/orders', body)).body).toEqual(order)
    expect((await market.acme.post('/orders', citing(hold))).body.details.field).toBe('line_items.0.hold_id')
  })

  it('can be used by several lines, up to the units that are held', async () => {
    const hold = await held()
    const lines = (units: number[]) => market.order({ line_items: units.map((one) => market.line({ hold_id: hold, units: one })) })
    const over = await market.acme.post('/orders', lines([6, 5]))
    expect([over.status, over.body.details.field]).toEqual([422, 'line_items.1.hold_id'])
    expect((await market.acme.post('/orders', lines([6, 4]))).status).toBe(201)
  })

  it('is 422 when the hold is not active, is not the buyer’s, or holds something else', async () => {
    const hold = await held()
    const [released, expired] = [await held(), await held()]
    await market.acme.delete(`/holds/${released}`)
    await runOut(expired)
    const day = { period: { grain: 'day', start: '2030-06-05' } }
    for (const order of [
      citing('hold_nothing'),
      citing(released),
      citing(expired),
      citing(hold, day),
      citing(hold, { period: { grain: 'week', start: '2030-W24' } }, { locked_rate_id: market.price('prime', '2030-W24') }),
      citing(hold, { units: 11 }),
    ]) {
      const reply = await market.acme.post('/orders', order)
      expect([reply.status, reply.body.error_code, reply.body.details.field]).toEqual([422, 'INVALID_INPUT', 'line_items.0.hold_id'])
    }
    await market.cable.put('/me/buyers/zenith', { status: 'active' })
    const foreign = await market.zenith.post('/orders', citing(hold))
    expect([foreign.status, foreign.body.details.field]).toEqual([422, 'line_items.0.hold_id'])
    expect(await statusOf(hold)).toBe('held')
  })

  it('is won by one of many orders that race for it', async () => {
    const hold = await held()
    const replies = await Promise.all(Array.from({ length: 8 }, () => market.acme.post('/orders', citing(hold))))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(422)])
    const order = replies.find(({ status }) => status === 201)?.body.order_id
    expect((await market.acme.get(`/holds/${hold}`)).body.order_id).toBe(order)
  })

  it('is not used by a dry run', async () => {
    const hold = await held()
    expect((await market.acme.post('/orders?dry_run=true', citing(hold))).status).toBe(200)
    expect(await statusOf(hold)).toBe('held')
  })
})

describe('the last-minute lane', () => {
  it('refuses a line that airs before the lead time is over, unless it cites an active hold', async () => {
    const tenYears = SellerProfile.parse({ holds: true, sla: {} })
    tenYears.sla.min_lead_minutes = 5_256_000 // the published weeks lie years ahead
    await saveProfile(market.deps.db, operator('cable', 'seller', 'platform'), tenYears)
    const plain = await market.acme.post('/orders', market.order())
    expect([plain.status, plain.body.details.field]).toEqual([422, 'line_items.0.period'])
    const hold = await held()
    expect((await market.acme.post('/orders', citing(hold))).status).toBe(201)
    await market.cable.put('/me/capabilities', { holds: true })
  })
})

describe('tending a hold', () => {
  it('says when it is due next, expires it when its time is up, and is then done with it', async () => {
    const hold = await held()
    const { expires_at } = (await market.acme.get(`/holds/${hold}`)).body
    expect(await tendHold(market.deps.db, hold)).toEqual({ due_at: expires_at })
    await runOut(hold)
    expect(await tendHold(market.deps.db, hold)).toBe('nothing')
    expect(await tendHold(market.deps.db, hold)).toBe('nothing')
    const { rows } = await market.deps.db.pool.query('select status, closed from holds where hold_id = $1', [hold])
    expect(rows).toEqual([{ status: 'expired', closed: true }])
  })

  it('ends a hold whose process died while it asked the seller’s API, and notifies the seller', async () => {
    const { db } = market.deps
    const opened = await openHold(db, 'acme', CreateHold.parse(holdAsk()), 'asking', { bounds: market.deps.holdBounds })
    if (!('hold' in opened)) throw new Error('it was not opened')
    const { hold_id, created_at } = opened.hold
    expect((await market.acme.get(`/holds/${hold_id}`)).status).toBe(404)
    expect(await tendHold(db, hold_id)).toEqual({ due_at: new Date(Date.parse(created_at) + 60_000).toISOString() })
    await db.pool.query(`update holds set created_at = created_at - interval '1 minute' where hold_id = $1`, [hold_id])
    expect(await tendHold(db, hold_id)).toBe('tell_seller')
    expect(await answerHold(db, hold_id, 'held')).toBe('released') // too late
  })

  it('is resumed by the sweep when its run is lost', async () => {
    const { db } = market.deps
    const hold = await held()
    await db.pool.query('delete from outbox')
    await runOut(hold)
    const swept = async () => {
      await sweepHolds(db)
      return (await db.pool.query('select kind from outbox where target = $1', [hold])).rows
    }
    expect(await swept()).toEqual([]) // its own run may be on its way
    await db.pool.query(`update holds set expires_at = expires_at - interval '2 minutes' where hold_id = $1`, [hold])
    expect(await swept()).toEqual([{ kind: 'hold' }])
    expect(await swept()).toEqual([{ kind: 'hold' }])
    await tendHold(db, hold)
    await db.pool.query('delete from outbox')
    expect(await swept()).toEqual([])
  })

  it('does nothing for one that an order used, or for an unknown one', async () => {
    const hold = await held()
    await market.acme.post('/orders', citing(hold))
    expect(await tendHold(market.deps.db, hold)).toBe('nothing')
    expect(await tendHold(market.deps.db, 'hold_nothing')).toBe('nothing')
  })
})
