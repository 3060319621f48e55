import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { cancel } from '../../../src/domain/order/cancel.ts'
import { decide } from '../../../src/domain/order/decide.ts'
import { stampEvents } from '../../../src/domain/order/decision.ts'
import type { OrderState } from '../../../src/domain/order/state.ts'
import { validate } from '../../../src/domain/order/validate.ts'
import { applyCommand } from '../../../src/operations/orders/applyCommand.ts'
import { openDatabase } from '../../../src/store/connection/database.ts'
import { createOrders } from '../../../src/store/orders/createOrders.ts'
import { type OrderLog, openOrderLog } from '../../../src/store/orders/orderLog.ts'
import { expectInvariants } from '../../support/invariants/expectInvariants.ts'
import { aMarket, CONTEXT } from '../../support/orders/anOrder.ts'
import { aNewOrder, command, negotiating, round, rowCounts, seqOf, stored, storedEvents } from '../../support/orders/storedOrders.ts'
import { until } from '../../support/until.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const WRITERS = 20
const db = useDatabase({ max: WRITERS })
let log: OrderLog
let wakes = 0
beforeAll(() => {
  log = openOrderLog(db, () => {
    wakes += 1
  })
})
db.beforeStop(() => expectInvariants(db.url))
beforeEach(() => {
  wakes = 0
})

const storm = <T>(act: (writer: number) => Promise<T>) => Promise.all(Array.from({ length: WRITERS }, (_, writer) => act(writer)))
/** What an act adds to the tables; nothing that stays as it is. */
async function written(act: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await rowCounts(db)
  await act()
  const changes = Object.entries(await rowCounts(db)).map(([table, count]) => [table, count - (before[table] ?? 0)] as const)
  return Object.fromEntries(changes.filter(([, change]) => change !== 0))
}

describe('a create', () => {
  it('writes order, request, first event, a feed row for either side and an outbox row in one commit, and wakes the relay', async () => {
    expect(await written(() => stored(log))).toEqual({ orders: 1, order_records: 1, order_events: 1, feed: 2, outbox: 1 })
    expect(wakes).toBe(1)
  })

  it('is one order per key: of twenty simultaneous duplicates one is created and the others write nothing', async () => {
    const key = 'duplicates'
    const duplicates = Array.from({ length: WRITERS }, () => aNewOrder({ external_order_id: key }))
    let outcomes: string[] = []
    const change = await written(async () => {
      outcomes = await storm((writer) => log.create(duplicates[writer] ?? aNewOrder()))
    })
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1)
    expect(change).toEqual({ orders: 1, order_records: 1, order_events: 1, feed: 2, outbox: 1 })
    expect(wakes).toBe(1)
    const winner = duplicates[outcomes.indexOf('created')]
    expect(await log.replyOf('buyer_one', key)).toEqual({
      order_id: winner?.order.facts.order_id,
      request_sha256: winner?.requestSha256,
      reply: winner?.reply,
    })
  })

  it('that must wait for another fails alone when that takes too long: what came with it goes through', async () => {
    const hasty = openDatabase(db.url, { max: 8, statementTimeout: 500 })
    const holder = await db.pool.connect()
    try {
      await holder.query('begin')
      await createOrders(holder, [aNewOrder({ external_order_id: 'held' })])
      const keys = ['held', 'free-1', 'free-2', 'free-3']
      const hurried = openOrderLog(hasty, () => undefined)
      const outcomes = await Promise.allSettled(keys.map((external_order_id) => hurried.create(aNewOrder({ external_order_id }))))
      expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.code))).toEqual([
        '57014',
        'created',
        'created',
        'created',
      ])
    } finally {
      await holder.query('rollback')
      holder.release()
      await hasty.close()
    }
  })

  it('keeps keys apart by buyer, and answers nothing for a key that was never used', async () => {
    const theirs = await stored(log, { buyer: 'buyer_two', external_order_id: 'shared' })
    const ours = await stored(log, { external_order_id: 'shared' })
    expect((await log.replyOf('buyer_one', 'shared'))?.order_id).toBe(ours)
    expect((await log.replyOf('buyer_two', 'shared'))?.order_id).toBe(theirs)
    expect(await log.replyOf('buyer_three', 'shared')).toBeUndefined()
  })
})

describe('appends to one order', () => {
  it('by twenty writers at once are seq 1 to n without a gap, strictly later one by one', async () => {
    const orderId = await negotiating(log)
    const seqs = (await storm(() => Promise.all([1, 2, 3].map(() => applyCommand(log, orderId, command(), round))))).flat()
    const events = await storedEvents(db, orderId)
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 4 + WRITERS * 3 }, (_, index) => index + 1))
    expect(seqs.map(({ last_seq }) => last_seq).sort((a, b) => a - b)).toEqual(events.slice(4).map(({ seq }) => seq))
    const stamps = events.map(({ occurred_at }) => occurred_at)
    expect([...new Set(stamps)].sort()).toEqual(stamps)
    expect((await log.load(orderId))?.last_seq).toBe(events.length)
  })

  it('that race for one step: one wins, the others are refused with the current state', async () => {
    const orderId = await stored(log)
    await applyCommand(log, orderId, command(), (current) => validate(current, aMarket(current)))
    const answers = await Promise.allSettled(
      Array.from({ length: WRITERS }, (_, writer) =>
        applyCommand(log, orderId, command(), (current) =>
          decide(current, { decision: writer % 2 === 0 ? 'approve' : 'reject', actor: `Sam ${writer}` }, CONTEXT),
        ),
      ),
    )
    const [won, ...more] = answers.filter((answer) => answer.status === 'fulfilled')
    expect(more).toEqual([])
    const status = won?.value.status
    for (const lost of answers.filter((answer) => answer.status === 'rejected')) {
      expect(lost.reason).toMatchObject({ code: 'INVALID_STATE', details: { status, last_seq: 4 } })
    }
  })

  it('cancel twice at once with one event and one block', async () => {
    const orderId = await stored(log)
    const replies = await storm((writer) =>
      applyCommand(log, orderId, command(), (order, now) => cancel(order, { reason: `reason ${writer}` }, now)),
    )
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1)
    expect(await storedEvents(db, orderId)).toHaveLength(2)
  })

  it('write events, outcome and feed rows; the outbox row and the wake signal only when the workflow must be notified', async () => {
    const orderId = await negotiating(log)
    expect(await written(() => applyCommand(log, orderId, command(), round))).toEqual({ order_events: 1, order_outcomes: 1, feed: 2 })
    expect(wakes).toBe(1) // the create's
    const change = await written(() => applyCommand(log, orderId, command({ wake: true }), round))
    expect(change).toEqual({ order_events: 1, order_outcomes: 1, feed: 2, outbox: 1 })
    expect(wakes).toBe(2)
  })
})

describe('a repeated command', () => {
  it('is answered with the stored outcome, asks no rule and writes nothing, also when the order has moved on', async () => {
    const orderId = await negotiating(log)
    const once = command({ id: 'step:4' })
    const first = await applyCommand(log, orderId, once, round)
    await applyCommand(log, orderId, command(), round)
    const change = await written(async () => {
      const again = await applyCommand<{ last_seq: number }>(log, orderId, once, () => {
        throw new Error('the rule was asked again')
      })
      expect(again).toEqual(first)
    })
    expect(change).toEqual({})
  })

  it('is done once when twenty come at once', async () => {
    const orderId = await negotiating(log)
    const outcomes = await storm(() => applyCommand(log, orderId, command({ id: 'step:once' }), round))
    expect(new Set(outcomes.map(({ last_seq }) => last_seq))).toEqual(new Set([5]))
    expect(await storedEvents(db, orderId)).toHaveLength(5)
  })

  it('belongs to its order: another order may have the same id', async () => {
    const [one, other] = [await negotiating(log), await negotiating(log)]
    await applyCommand(log, one, command({ id: 'step:shared' }), round)
    expect(await written(() => applyCommand(log, other, command({ id: 'step:shared' }), round))).toMatchObject({ order_events: 1 })
  })

  it('that changed nothing is asked again', async () => {
    const orderId = await stored(log)
    const still = command({ id: 'step:still' })
    const nothing = () => ({ events: [], outcome: seqOf })
    expect(await written(() => applyCommand(log, orderId, still, nothing))).toEqual({})
    expect(await written(() => applyCommand(log, orderId, still, (order, now) => cancel(order, {}, now)))).toMatchObject({
      order_events: 1,
    })
  })
})

describe('an exact repeat', () => {
  const approve = (orderId: string, repeatKey: string, wanted: 'approve' | 'reject' = 'approve') =>
    applyCommand(log, orderId, command({ repeatKey, wake: true }), (order) => decide(order, { decision: wanted, actor: 'Sam' }, CONTEXT))
  const inReview = async () => {
    const orderId = await stored(log)
    await applyCommand(log, orderId, command(), (order) => validate(order, aMarket(order)))
    return orderId
  }

  it('answers what was answered, and writes and wakes nothing', async () => {
    const orderId = await inReview()
    const first = await approve(orderId, 'decide:a')
    wakes = 0
    expect(await written(async () => expect(await approve(orderId, 'decide:a')).toEqual(first))).toEqual({})
    expect(wakes).toBe(0)
  })

  it('is still one when the order has moved past it', async () => {
    const orderId = await inReview()
    const first = await approve(orderId, 'decide:a')
    await applyCommand(log, orderId, command(), (order, now) => cancel(order, {}, now))
    expect(await approve(orderId, 'decide:a')).toEqual(first)
  })

  it('is not recognized when the key differs', async () => {
    const orderId = await inReview()
    await approve(orderId, 'decide:a')
    await expect(approve(orderId, 'decide:b', 'reject')).rejects.toMatchObject({ code: 'INVALID_STATE', details: { status: 'placed' } })
  })

  it('is not recognized on another order', async () => {
    await approve(await inReview(), 'decide:a')
    expect(await written(async () => approve(await inReview(), 'decide:a', 'reject'))).toMatchObject({ order_outcomes: 2 })
  })
})

describe('a command without a transaction', () => {
  it('waits for the lock before it takes a transaction id, and then finds the order where it is', async () => {
    const orderId = await negotiating(log)
    const owner = new pg.Client({ connectionString: db.url }) // the owner sees the other sessions
    await owner.connect()
    let late: Promise<{ last_seq: number }> | undefined
    await log.exclusively(orderId, async ({ order, append }) => {
      late = applyCommand(log, orderId, command(), round)
      const waiting = async () => {
        const { rows } = await owner.query<{ backend_xid: string | null; query: string }>(
          `select backend_xid, query from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
        )
        return rows[0]
      }
      await until(async () => (await waiting()) !== undefined)
      expect(await waiting()).toMatchObject({ backend_xid: null, query: expect.stringContaining('with locked as') })
      const sealed = appended(order)
      await append({ ...sealed, command: command(), outcome: '{}' })
    })
    await owner.end()
    expect(await late).toEqual({ last_seq: 6 })
    expect((await storedEvents(db, orderId)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6])
  })
})

const appended = (order: OrderState) => stampEvents(order, round().events, new Date().toISOString())

describe('work that fails', () => {
  it('after its append leaves nothing behind, wakes nothing and gives lock and connection back', async () => {
    const orderId = await negotiating(log)
    wakes = 0
    const fails = () =>
      log.exclusively(orderId, async ({ order, append }) => {
        const sealed = appended(order)
        await append({ ...sealed, command: command({ wake: true }), outcome: '{}' })
        throw new Error('after the append')
      })
    const change = await written(async () => {
      for (let times = 0; times < WRITERS * 2; times += 1) await expect(fails()).rejects.toThrow('after the append')
    })
    expect(change).toEqual({})
    expect(wakes).toBe(0)
    expect(await applyCommand(log, orderId, command(), round)).toEqual({ last_seq: 5 })
  })

  it('refuses to append when the order has moved on', async () => {
    const orderId = await negotiating(log)
    const twice = log.exclusively(orderId, async ({ order, append }) => {
      const sealed = appended(order)
      await append({ ...sealed, command: command(), outcome: '{}' })
      await append({ ...sealed, command: command(), outcome: '{}' })
    })
    await expect(twice).rejects.toMatchObject({ code: 'OM001' })
    expect(await storedEvents(db, orderId)).toHaveLength(4)
  })

  it('finds no order that does not exist', async () => {
    await expect(applyCommand(log, 'ord_none', command(), round)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await log.load('ord_none')).toBeUndefined()
  })
})
