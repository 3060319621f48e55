import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { EVENT_TYPES } from '../../../src/contract/vocabulary.ts'
import { writeAttempts } from '../../../src/store/delivery/attempts.ts'
import { claimDue, deleteOldDeliveries, dropPending, OPEN_ENDPOINTS, sweepDeliveries } from '../../../src/store/delivery/deliveries.ts'
import { listDeliveries, redeliver, redeliverRange } from '../../../src/store/delivery/deliveryLog.ts'
import { deleteOldSenders, leaveEndpoint, nextDue } from '../../../src/store/delivery/endpointSenders.ts'
import { announce } from '../../../src/store/delivery/notices.ts'
import { readReceiverRow } from '../../../src/store/delivery/readReceiverRow.ts'
import { BUYER, SELLER } from '../../support/orders/anOrder.ts'
import { anEndpointRow, aTenantRow, insertRows, minutesAgo, PAST, SOON } from '../../support/orders/rowsOfMarket.ts'
import { stored } from '../../support/orders/storedOrders.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
beforeAll(() => insertRows(db.owner(), [aTenantRow(BUYER, 'buyer'), aTenantRow(SELLER, 'seller'), aTenantRow('buyer_two', 'buyer')]))
beforeEach(async () => {
  await db.owner().query('truncate webhook_endpoints, deliveries, endpoint_senders, outbox cascade')
})

const DAY = 24 * 60
const endpoints = (...rows: Parameters<typeof anEndpointRow>[]) =>
  insertRows(
    db.owner(),
    rows.map((row) => anEndpointRow(...row)),
  )
/** Rows of deliveries, of which `event_id` names each. */
const deliveries = (...rows: [event_id: string, more?: object][]) =>
  insertRows(
    db.owner(),
    rows.map(
      ([event_id, more]) => ['deliveries', { endpoint_id: 'whe_1', event_type: 'catalog.window_opened', event_id, ...more }] as const,
    ),
  )
const statuses = async () =>
  Object.fromEntries(
    (await db.owner().query('select event_id, status from deliveries')).rows.map(({ event_id, status }) => [event_id, status]),
  )
const woken = async () =>
  (await db.owner().query(`select target from outbox where kind = 'endpoint' order by 1`)).rows.map(({ target }) => target)
const queued = async () =>
  (await db.owner().query('select endpoint_id from deliveries order by 1')).rows.map(({ endpoint_id }) => endpoint_id)
const events = (found: readonly { event_id: string }[]) => found.map(({ event_id }) => event_id)

describe('who is sent an event', () => {
  it('of an order: the active endpoints of its parties that chose it, and the one that its create named', async () => {
    await endpoints(
      ['whe_1'],
      ['whe_seller', { tenant: SELLER }],
      ['whe_off', { status: 'disabled' }],
      ['whe_theirs', { tenant: 'buyer_two' }],
      ['whe_chose', { topics: ['order.status_changed:submitted'] }],
      ['whe_chose_else', { topics: ['order.status_changed:placed', 'catalog.window_opened'] }],
      ['whe_named', { topics: ['order.status_changed:placed'] }],
    )
    await stored(db.log, { intake: { notify_endpoint: 'whe_named' }, notify_url: 'https://one.example/hook' })
    expect(await queued()).toEqual(['whe_1', 'whe_chose', 'whe_named', 'whe_seller'])
    expect(await woken()).toEqual(['whe_1', 'whe_chose', 'whe_named', 'whe_seller'])
  })

  it('of an order: not the endpoint that its create named, once it may not be told of orders', async () => {
    await endpoints(['whe_named', { topics: [], readable: ['catalog.window_opened'] }])
    await stored(db.log, { intake: { notify_endpoint: 'whe_named' }, notify_url: 'https://one.example/hook' })
    expect(await queued()).toEqual([])
  })

  it('of no order: the active endpoints of its readers that chose its type', async () => {
    await endpoints(
      ['whe_1'],
      ['whe_off', { status: 'disabled' }],
      ['whe_theirs', { tenant: 'buyer_two' }],
      ['whe_chose', { topics: ['catalog.window_opened'] }],
      ['whe_chose_else', { topics: ['order.status_changed:placed'] }],
    )
    const notice = { event_type: 'catalog.window_opened', seller: SELLER, occurred_at: PAST } as const
    await db.sql.transaction().execute((tx) =>
      announce(tx, [
        { ...notice, shown: [{ to: [BUYER], data: {} }] },
        { ...notice, shown: [] },
      ]),
    )
    expect(await queued()).toEqual(['whe_1', 'whe_chose'])
    expect(await woken()).toEqual(['whe_1', 'whe_chose'])
  })
})

describe('the deliveries that are due', () => {
  const due = (more: object = {}) => claimDue(db.pool, { endpointId: 'whe_1', after: '0', max: 9, ...more })
  it('are the pending ones of the endpoint by now, oldest first, so many, and past a place only what was tried', async () => {
    await endpoints(['whe_1'], ['whe_2', { tenant: SELLER }])
    await deliveries(['evt_1', { made: 1 }], ['evt_2'], ['evt_3'], ['evt_4', { due_at: SOON }])
    await deliveries(['evt_5', { status: 'dropped' }], ['evt_6', { endpoint_id: 'whe_2' }])
    await insertRows(db.owner(), [
      ['notices', { event_id: 'evt_1', tenant: BUYER, body: 'one' }],
      ['notices', { event_id: 'evt_1', tenant: SELLER, body: 'the seller’s' }],
      ['notices', { event_id: 'evt_2', tenant: BUYER, body: 'two' }],
    ])
    const found = await due()
    expect(found.map(({ event_id, body }) => [event_id, body])).toEqual([
      ['evt_1', 'one'],
      ['evt_2', 'two'],
      ['evt_3', null],
    ])
    expect(events(await due({ max: 2 }))).toEqual(['evt_1', 'evt_2'])
    expect(events(await due({ after: found[1]?.delivery_no }))).toEqual(['evt_1', 'evt_3'])
    const [one, other] = await Promise.all([due(), due({ endpointId: 'whe_2' })])
    expect([events(one), events(other)]).toEqual([['evt_1', 'evt_2', 'evt_3'], ['evt_6']])
  })

  it('of orders carry the event of their seq', async () => {
    await endpoints(['whe_1', { tenant: BUYER }])
    const [orderId] = [await stored(db.log), await stored(db.log)]
    const [delivery, ...others] = await due()
    expect(others).toHaveLength(1)
    expect(JSON.parse(delivery?.body ?? '')).toMatchObject({ order_id: orderId, seq: 1 })
  })

  it('wake their endpoint when they are overdue by a minute, unless it is woken', async () => {
    await endpoints(['whe_1'], ['whe_2'], ['whe_3'], ['whe_4'])
    await deliveries(['evt_1', { due_at: minutesAgo(1.1) }], ['evt_2', { due_at: minutesAgo(1.1) }])
    await deliveries(['evt_3', { endpoint_id: 'whe_2', due_at: minutesAgo(0.5) }])
    await deliveries(['evt_4', { endpoint_id: 'whe_3', due_at: minutesAgo(2), status: 'delivered' }])
    await deliveries(['evt_5', { endpoint_id: 'whe_4', due_at: minutesAgo(2) }])
    await db.owner().query(`insert into outbox (kind, target) values ('endpoint', 'whe_4'), ('order', 'whe_1')`)
    expect(await sweepDeliveries(db.pool)).toBe(1)
    expect(await woken()).toEqual(['whe_1', 'whe_4'])
    const { rows } = await db.owner().query(`select target from (${OPEN_ENDPOINTS}) open order by 1`)
    expect(rows.map(({ target }) => target)).toEqual(['whe_1', 'whe_2', 'whe_4'])
  })
})

describe('deliveries that end', () => {
  it('are dropped with their endpoint, the pending ones of it alone', async () => {
    await deliveries(['evt_1'], ['evt_2', { status: 'delivered' }], ['evt_3', { endpoint_id: 'whe_2' }])
    expect(await dropPending(db, 'whe_1', 'endpoint_deleted')).toBe(true)
    expect(await statuses()).toEqual({ evt_1: 'dropped', evt_2: 'delivered', evt_3: 'pending' })
    expect(await dropPending(db, 'whe_1', 'endpoint_deleted')).toBe(false)
  })

  it('leave the log after thirty days, so many at a time', async () => {
    const old = { created_at: minutesAgo(31 * DAY), status: 'dropped' }
    await deliveries(['evt_1', old], ['evt_2', { ...old, status: 'pending' }], ['evt_3', { status: 'delivered' }])
    await deliveries(['evt_4', { ...old, endpoint_id: 'whe_2' }], ['evt_5', { ...old, created_at: minutesAgo(29 * DAY) }])
    expect(await deleteOldDeliveries(db, 1)).toBe(1)
    expect(await deleteOldDeliveries(db, 9)).toBe(1)
    expect(Object.keys(await statuses()).sort()).toEqual(['evt_2', 'evt_3', 'evt_5'])
  })

  it('get their attempt from the one sender that made it', async () => {
    await deliveries(['evt_1'], ['evt_2', { made: 1 }], ['evt_3', { status: 'delivered' }], ['evt_4', { endpoint_id: 'whe_2' }])
    const { rows } = await db.owner().query('select delivery_no, endpoint_id from deliveries order by event_id')
    const attempt = { at: PAST, latency_ms: 5, status_code: 200 } as never
    await writeAttempts(
      db,
      rows.slice(0, 3).map(({ delivery_no }) => ({
        ...{ endpointId: 'whe_1', attempt, status: 'dropped', reason: 'attempts_failed', dueAt: Date.now() },
        due: { delivery_no, made: 0, attempts: '[]', firstAt: undefined } as never,
      })) as never,
    )
    expect(await statuses()).toEqual({ evt_1: 'dropped', evt_2: 'pending', evt_3: 'delivered', evt_4: 'pending' })
  })

  it('stay dropped after an attempt that would be made again, and pending if they were', async () => {
    await deliveries(['evt_1'], ['evt_2', { status: 'dropped' }])
    const { rows } = await db.owner().query('select delivery_no from deliveries order by event_id')
    const attempt = { at: PAST, latency_ms: 5, status_code: 503 } as never
    await writeAttempts(
      db,
      rows.map(({ delivery_no }) => ({
        ...{ endpointId: 'whe_1', attempt, status: 'pending', dueAt: Date.now() },
        due: { delivery_no, made: 0, attempts: '[]', firstAt: undefined } as never,
      })) as never,
    )
    expect(await statuses()).toEqual({ evt_1: 'pending', evt_2: 'dropped' })
  })
})

describe('the log of deliveries', () => {
  const read = async (
    more: object = {},
    {
      readable = EVENT_TYPES,
      before,
      limit = 9,
    }: { readable?: readonly (typeof EVENT_TYPES)[number][]; before?: string; limit?: number } = {},
  ) => listDeliveries(db, 'whe_1', more, readable, before, limit)
  beforeEach(async () => {
    await deliveries(['evt_1'], ['evt_2', { status: 'dropped' }], ['evt_3', { endpoint_id: 'whe_2' }])
    await deliveries(['evt_4', { order_id: 'ord_1', event_type: 'order.status_changed' }], ['evt_5', { event_type: 'webhook.test' }])
  })

  it('lists those of the endpoint, newest first, by page, status, order and what its reader may read', async () => {
    const all = await read()
    expect(events(all)).toEqual(['evt_5', 'evt_4', 'evt_2', 'evt_1'])
    expect(events(await read({}, { limit: 1 }))).toEqual(['evt_5'])
    expect(events(await read({}, { before: all[1]?.delivery_id ?? '' }))).toEqual(['evt_2', 'evt_1'])
    expect(events(await read({ status: 'dropped' }))).toEqual(['evt_2'])
    expect(events(await read({ order_id: 'ord_1' }))).toEqual(['evt_4'])
    expect(events(await read({}, { readable: ['order.status_changed'] }))).toEqual(['evt_5', 'evt_4'])
  })

  it('sends one again, and wakes its endpoint, if it is the endpoint’s and may be read', async () => {
    const [, order, , first] = await read()
    const again = await redeliver(db, 'whe_1', first?.delivery_id ?? '', EVENT_TYPES)
    expect(again).toMatchObject({ event_id: 'evt_1', redelivery_of: first?.delivery_id, status: 'pending' })
    expect(await woken()).toEqual(['whe_1'])
    expect(await redeliver(db, 'whe_2', first?.delivery_id ?? '', EVENT_TYPES)).toBeUndefined()
    expect(await redeliver(db, 'whe_1', order?.delivery_id ?? '', ['catalog.window_opened'])).toBeUndefined()
  })

  it('sends a stretch again: of the endpoint, in the time, in the state, that may be read, and is itself no repeat', async () => {
    const dropped = { status: 'dropped' }
    await deliveries(
      ['evt_6', { ...dropped, created_at: minutesAgo(60) }],
      ['evt_7', { ...dropped, endpoint_id: 'whe_2' }],
      ['evt_8', { ...dropped, redelivery_of: 1 }],
      ['evt_9', { ...dropped, event_type: 'order.status_changed', order_id: 'ord_1' }],
      ['evt_10', { ...dropped, created_at: SOON }],
    )
    const sent = async (more: object) => {
      const before = (await db.owner().query('select max(delivery_no) as last from deliveries')).rows[0].last
      const count = await redeliverRange(db, 'whe_1', { from: minutesAgo(30), ...more } as never, ['catalog.window_opened'])
      const { rows } = await db.owner().query('select event_id from deliveries where delivery_no > $1 order by delivery_no', [before])
      expect(rows).toHaveLength(count)
      await db.owner().query('delete from deliveries where delivery_no > $1', [before])
      return events(rows)
    }
    expect(await sent({})).toEqual(['evt_2'])
    expect(await sent({ from: minutesAgo(61) })).toEqual(['evt_2', 'evt_6'])
    expect(await sent({ status: 'pending' })).toEqual(['evt_1', 'evt_5'])
    await deliveries(['evt_2', { status: 'delivered' }], ['evt_6', { status: 'delivered', endpoint_id: 'whe_2' }])
    expect(await sent({ from: minutesAgo(61), skip_delivered: true })).toEqual(['evt_6'])
  })

  it('counts as arrived only the same event of the same order', async () => {
    const order = { event_type: 'order.status_changed', order_id: 'ord_1', event_id: null }
    await insertRows(
      db.owner(),
      [
        { ...order, seq: 1, status: 'dropped' },
        { ...order, seq: 2, status: 'dropped' },
        { ...order, seq: 2, status: 'delivered' },
        { ...order, seq: 1, order_id: 'ord_2', status: 'delivered' },
      ].map((row) => ['deliveries', { endpoint_id: 'whe_1', ...row }] as const),
    )
    const range = { from: minutesAgo(30), skip_delivered: true } as never
    await redeliverRange(db, 'whe_1', range, ['order.status_changed'])
    const { rows } = await db.owner().query('select order_id, seq from deliveries where redelivery_of is not null')
    expect(rows).toEqual([{ order_id: 'ord_1', seq: 1 }])
  })
})

describe('the sender of an endpoint', () => {
  it('learns of the pending deliveries of its endpoint when it leaves', async () => {
    await deliveries(['evt_1', { made: 2, due_at: PAST }], ['evt_2', { made: 1, due_at: SOON }], ['evt_3', { status: 'delivered' }])
    await deliveries(['evt_4', { endpoint_id: 'whe_2' }])
    expect(await nextDue(db, 'whe_1')).toMatchObject({ at: PAST, waiting: 2, made: 2 })
    expect(await nextDue(db, 'whe_3')).toEqual({ at: null, waiting: 0, made: 0 })
    await insertRows(db.owner(), [
      ['endpoint_senders', { endpoint_id: 'whe_1', sender: 'one', held_until: SOON, woken: true }],
      ['endpoint_senders', { endpoint_id: 'whe_2', sender: 'other', held_until: SOON, woken: true }],
    ])
    const leave = (endpointId: string, sender: string) => leaveEndpoint(db.pool, { endpointId, sender })
    expect(await Promise.all([leave('whe_2', 'one'), leave('whe_1', 'one')])).toMatchObject([
      { woken: false, due: true, waiting: 1 },
      { woken: true, due: true, waiting: 2 },
    ])
    const { rows } = await db.owner().query('select endpoint_id, woken, held_until > now() as held from endpoint_senders order by 1')
    expect(rows).toEqual([
      { endpoint_id: 'whe_1', woken: false, held: false },
      { endpoint_id: 'whe_2', woken: true, held: true },
    ])
  })

  it('is forgotten when nobody holds it and its endpoint is gone, so many at a time', async () => {
    await endpoints(['whe_1'], ['whe_2', { status: 'deleted' }], ['whe_4', { status: 'deleted' }])
    const sender = (endpoint_id: string, held_until = PAST) => ['endpoint_senders', { endpoint_id, sender: 'one', held_until }] as const
    await insertRows(db.owner(), [sender('whe_1'), sender('whe_2'), sender('whe_3'), sender('whe_4', SOON)])
    expect(await deleteOldSenders(db, 1)).toBe(1)
    expect(await deleteOldSenders(db, 9)).toBe(1)
    const { rows } = await db.owner().query('select endpoint_id from endpoint_senders order by 1')
    expect(rows.map(({ endpoint_id }) => endpoint_id)).toEqual(['whe_1', 'whe_4'])
  })

  it('reads active endpoints alone, and whether their authority is over', async () => {
    await endpoints(
      ['whe_1', { authorized_until: PAST }],
      ['whe_2', { authorized_until: SOON }],
      ['whe_3'],
      ['whe_4', { status: 'disabled' }],
    )
    const found = await Promise.all(['whe_1', 'whe_2', 'whe_3', 'whe_4'].map((id) => readReceiverRow(db.pool, id)))
    expect(found.map((row) => row?.expired)).toEqual([true, false, false, undefined])
  })
})
