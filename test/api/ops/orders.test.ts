import { beforeAll, describe, expect, it } from '@jest/globals'
import { claimEngineReport, saveEngineReport } from '../../../src/store/ops/reports.ts'
import { everyPage } from '../../support/http/everyPage.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const ids = { parked: '', overdue: '', still: '', unreachable: '', reported: '', placed: '' }
const set = (orderId: string, change: string) => market.owner().query(`update orders set ${change} where order_id = $1`, [orderId])
const list = async (query = '') => (await market.operations.get(`/ops/orders${query}`)).body.items as { order_id: string }[]
const idsOf = (items: { order_id: string }[]) => items.map(({ order_id }) => order_id)

beforeAll(async () => {
  ids.placed = await market.placed()
  ids.parked = await market.parked()
  ids.overdue = await market.parked()
  ids.still = await market.created()
  ids.unreachable = await market.parked()
  ids.reported = await market.parked()
  await set(ids.overdue, `decide_by = decide_by - interval '3 days'`)
  await set(ids.still, `updated_at = updated_at - interval '2 minutes'`)
  await set(ids.unreachable, `stuck_reason = 'unreachable:connect', gate_due = 'pull'`)
  await claimEngineReport(market.deps.db)
  await saveEngineReport(market.deps.db, { reachable: true, stuck: [{ order_id: ids.reported, reason: 'timeout' }], schedules: [] })
})
market.beforeStop(async () => {
  await market.owner().query(`update orders set stuck_reason = null, gate_due = null`)
  await set(ids.overdue, `decide_by = decide_by + interval '3 days'`)
  await set(ids.still, `updated_at = updated_at + interval '2 minutes'`)
})

describe('GET /ops/orders: 200', () => {
  it('lists the open orders of every tenant, the oldest first, in pages', async () => {
    const open = [ids.parked, ids.overdue, ids.still, ids.unreachable, ids.reported]
    expect(idsOf(await list())).toEqual(open)
    const { body: first } = await market.operations.get('/ops/orders?limit=2')
    const { body: second } = await market.operations.get(`/ops/orders?limit=3&cursor=${encodeURIComponent(first.next_cursor)}`)
    expect(idsOf([...first.items, ...second.items])).toEqual(open)
    expect(second.next_cursor).toBeNull()
  })

  it('lists those that are stuck, each with its reason', async () => {
    const reasons = Object.fromEntries(
      (await list('?state=stuck')).map((one) => [one.order_id, (one as { stuck_reason?: string }).stuck_reason]),
    )
    expect(reasons).toEqual({ [ids.still]: 'no_progress', [ids.unreachable]: 'unreachable:connect', [ids.reported]: 'timeout' })
    expect(idsOf(await list('?state=stuck&reason=timeout'))).toEqual([ids.reported])
    expect(await list('?state=stuck&reason=unexpected')).toEqual([])
  })

  it('pages through the stuck ones', async () => {
    const pages = await everyPage(async (cursor) => (await market.operations.get(`/ops/orders?state=stuck&limit=1${cursor}`)).body)
    expect(pages.flatMap(({ items }) => idsOf(items))).toEqual([ids.still, ids.unreachable, ids.reported])
  })

  it('lists those whose decision is overdue', async () => {
    expect(await list('?state=overdue')).toMatchObject([{ order_id: ids.overdue, overdue: true, waits_on: 'seller' }])
  })

  it('finds one order, ended or not, and shows nothing of its content', async () => {
    const [order] = await list(`?order_id=${ids.placed}`)
    expect(Object.keys(order ?? {}).sort()).toEqual(
      [
        ...['buyer_entity', 'created_at', 'decide_by', 'last_seq', 'order_id', 'overdue', 'parked_since', 'run_id', 'seller', 'status'],
        ...['stuck_reason', 'substatus', 'updated_at', 'waits_on', 'workflow'],
      ].sort(),
    )
    expect(order).toMatchObject({ order_id: ids.placed, status: 'placed', waits_on: null, run_id: `order:${ids.placed}` })
    expect(await list('?order_id=nothing')).toEqual([])
  })
})

describe('GET /ops/orders: 422', () => {
  it.each([
    ['state', '?state=closed'],
    ['cursor', '?cursor=a.b'],
    ['limit', '?limit=201'],
  ])('refuses a wrong %s', async (field, query) => {
    const { status, body } = await market.operations.get(`/ops/orders${query}`)
    expect([status, JSON.stringify(body.details).includes(field)]).toEqual([422, true])
  })

  it('refuses the cursor of another list', async () => {
    const { body } = await market.operations.get('/ops/orders?limit=1')
    expect(body.next_cursor).toEqual(expect.any(String))
    expect((await market.operations.get(`/ops/orders?state=stuck&cursor=${encodeURIComponent(body.next_cursor)}`)).status).toBe(422)
  })
})

describe('GET /ops/orders/{order_id}: 200', () => {
  it('has the order with its timeline, and nothing of its content', async () => {
    const { status, body } = await market.operations.get(`/ops/orders/${ids.placed}`)
    expect([status, body]).toMatchObject([200, { order_id: ids.placed, status: 'placed', run_id: `order:${ids.placed}` }])
    const { events } = body
    expect(events.map((event: { seq: number; status: string }) => [event.seq, event.status])).toEqual([
      [1, 'submitted'],
      [2, 'validating'],
      [3, 'seller_review'],
      [4, 'placed'],
    ])
    expect(events[3]).toEqual({
      seq: 4,
      occurred_at: expect.stringMatching(/Z$/),
      status: 'placed',
      substatus: null,
      gate: expect.any(String),
      decision: 'approve',
      error_code: null,
    })
  })
})

describe('GET /ops/orders/{order_id}: 404', () => {
  it('is the answer for an unknown order', async () => {
    expect((await market.operations.get('/ops/orders/ord_nothing')).status).toBe(404)
  })
})

describe('POST /ops/orders/{order_id}/wake: 202', () => {
  const rows = async (orderId: string) =>
    (await market.deps.db.pool.query(`select from outbox where kind = 'order' and target = $1`, [orderId])).rowCount

  it('wakes the run once, however often it is asked, and leaves the order unchanged', async () => {
    const orderId = await market.parked()
    const before = await market.snapshot(orderId)
    await market.owner().query('delete from outbox where target = $1', [orderId])
    const woken = await market.operations.post(`/ops/orders/${orderId}/wake`, undefined)
    expect([woken.status, woken.body]).toEqual([202, { order_id: orderId, status: 'seller_review', queued: true }])
    const again = await market.operations.post(`/ops/orders/${orderId}/wake`, undefined)
    expect(again.body.queued).toBe(false)
    expect(await rows(orderId)).toBe(1)
    expect(await market.snapshot(orderId)).toEqual(before)
  })

  it('is in the audit log of the operators, and in no tenant’s', async () => {
    const orderId = await market.parked()
    await market.operations.post(`/ops/orders/${orderId}/wake`, undefined)
    const { body } = await market.operations.get('/ops/audit?action=order.woken&limit=1')
    expect(body.items).toMatchObject([{ action: 'order.woken', target: orderId, via: 'api' }])
    for (const [tenant, path] of [
      ['acme', '/audit'],
      ['cable', '/me/audit'],
    ] as const)
      expect((await market[tenant].get(`${path}?action=order.woken`)).body.items).toEqual([])
  })
})

describe('POST /ops/orders/{order_id}/wake: 404', () => {
  it('is the answer for an unknown order, and nothing is recorded', async () => {
    const woken = async () => (await market.operations.get('/ops/audit?action=order.woken')).body.items.length
    const before = await woken()
    const { status, body } = await market.operations.post('/ops/orders/ord_nothing/wake', undefined)
    expect([status, body.error_code, await woken()]).toEqual([404, 'NOT_FOUND', before])
  })
})
