import { describe, expect, it } from '@jest/globals'
import { decide } from '../../../src/domain/order/decide.ts'
import { stampEvents } from '../../../src/domain/order/decision.ts'
import { closeOrder } from '../../../src/operations/orders/closeOrder.ts'
import { lockedTransaction, lockOn } from '../../../src/store/connection/lockedTransaction.ts'
import { CONTEXT } from '../../support/orders/anOrder.ts'
import { decideOrder } from '../../support/orders/decisions.ts'
import { command } from '../../support/orders/storedOrders.ts'
import { until } from '../../support/until.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

/** What the workflow does when an order has closed. */
const close = (orderId: string) => closeOrder(market.deps.orders, market.deps.db, orderId)
const revising = (supersedes: string, more: object = {}) => market.placed({ revision: { supersedes }, ...more })

describe('a revision (contract, Order creation body: revision)', () => {
  it('gets its version from the platform, not from what is sent', async () => {
    const first = await market.placed()
    const second = await market.created({ revision: { supersedes: first, version: 9 } })
    const third = await market.created({ revision: { supersedes: second } })
    expect((await market.snapshot(first)).revision).toEqual({ version: 1, supersedes: null })
    expect((await market.snapshot(second)).revision).toEqual({ version: 2, supersedes: first })
    expect((await market.snapshot(third)).revision).toEqual({ version: 3, supersedes: second })
  })

  it('leaves the prior order unchanged until it is placed, and then cancels it as superseded, once', async () => {
    const prior = await market.placed()
    const parked = await market.parked({ revision: { supersedes: prior } })
    await close(parked)
    expect((await market.snapshot(prior)).status).toBe('placed')
    const { status } = await decideOrder(market, parked, { decision: 'approve' })
    expect(status).toBe(202)
    await close(parked)
    await close(parked)
    const canceled = await market.snapshot(prior)
    expect(canceled).toMatchObject({ status: 'canceled', last_seq: 5, cancellation: { reason: 'superseded', actor: 'acme' } })
  })

  it('ends the placed order of its family in the commit that places it, before it in the feed', async () => {
    const prior = await market.placed()
    const revision = await revising(prior)
    expect(await market.snapshot(prior)).toMatchObject({
      status: 'canceled',
      last_seq: 5,
      cancellation: { reason: 'superseded', actor: 'acme' },
    })
    const { rows } = await market.deps.db.pool.query(
      `select status, txid = max(txid) over () as together from feed where tenant = 'acme' and order_id = any($1) order by txid desc, position limit 2`,
      [[prior, revision]],
    )
    expect(rows).toEqual([
      { status: 'canceled', together: true },
      { status: 'placed', together: true },
    ])
  })

  it('is measured for notice at its issued_at, which keeps its offset as sent', async () => {
    const terms = { buyer_entity: 'acme', effective: { start: '2020-01-01', end: '2099-12-31' }, cancellation_terms: { notice_days: 14 } }
    expect((await market.cable.put('/me/agreements/agr-notice', terms)).status).toBe(201)
    const prior = await market.placed({ agreement_id: 'agr-notice' })
    const airs = (await market.snapshot(prior)).line_items[0]?.allocation[0]?.date ?? ''
    const issued_at = `${new Date(Date.parse(airs) - 5 * 86_400_000).toISOString().slice(0, 10)}T23:30:00-02:00` // 21:30 in New York, 01:30 UTC of the day after
    const revision = await revising(prior, { issued_at })
    await close(revision)
    expect((await market.snapshot(revision)).issued_at).toBe(issued_at)
    expect((await market.snapshot(prior)).cancellation).toMatchObject({
      late_notice: 'late',
      notice: { measured_at: new Date(issued_at).toISOString(), first_air_date: airs, notice_days_given: 5, notice_days_required: 14 },
    })
  })

  it('cancels a prior order that was not placed yet, and leaves one that was canceled as it is', async () => {
    const waiting = await market.parked()
    await close(await revising(waiting))
    expect(await market.snapshot(waiting)).toMatchObject({ status: 'canceled', cancellation: { reason: 'superseded' } })
    const gone = await market.created()
    await market.acme.post(`/orders/${gone}/cancel`, { reason: 'changed plans' })
    await close(await revising(gone))
    expect(await market.snapshot(gone)).toMatchObject({ last_seq: 2, cancellation: { reason: 'changed plans' } })
  })

  it('ends the prior order once it is placed, even when it is canceled before its workflow gets there', async () => {
    const prior = await market.placed()
    const revision = await revising(prior)
    await market.acme.post(`/orders/${revision}/cancel`, {})
    await close(revision)
    expect(await market.snapshot(prior)).toMatchObject({ status: 'canceled', cancellation: { reason: 'superseded' } })
  })

  it('that ends without having been placed leaves the prior order as it is', async () => {
    const prior = await market.placed()
    const revision = await market.parked({ revision: { supersedes: prior } })
    await market.acme.post(`/orders/${revision}/cancel`, {})
    await close(revision)
    expect(await market.snapshot(prior)).toMatchObject({ status: 'placed', last_seq: 4 })
  })

  it('ends the whole chain once it is placed: every order that it revises, and every other revision of them', async () => {
    const first = await market.placed()
    const second = await market.parked({ revision: { supersedes: first } })
    const sibling = await market.parked({ revision: { supersedes: first } })
    const cousin = await market.created({ revision: { supersedes: sibling } })
    const third = await revising(second)
    const next = await market.parked({ revision: { supersedes: third } })
    await close(third)
    for (const orderId of [first, second, sibling, cousin]) {
      expect(await market.snapshot(orderId)).toMatchObject({ status: 'canceled', cancellation: { reason: 'superseded' } })
    }
    expect([(await market.snapshot(third)).status, (await market.snapshot(next)).status]).toEqual(['placed', 'seller_review'])
  })

  it.each([1, 2, 3])('of which two are approved at once leaves one placed, in any order of closing (%d)', async () => {
    const first = await market.placed()
    const revisions = await Promise.all([1, 2, 3, 4].map(() => market.parked({ revision: { supersedes: first } })))
    const approve = (orderId: string) => decideOrder(market, orderId, { decision: 'approve' })
    await Promise.all(revisions.map(async (orderId) => (await approve(orderId)).status === 202 && close(orderId)))
    await Promise.all([...revisions, first].map(close))
    const statuses = await Promise.all([first, ...revisions].map(async (orderId) => (await market.snapshot(orderId)).status))
    expect(statuses.sort()).toEqual(['canceled', 'canceled', 'canceled', 'canceled', 'placed'])
  })

  it('ends the order that it revises even when that is approved before the revision’s workflow runs, or the revision was canceled by then', async () => {
    for (const cancels of [false, true]) {
      const first = await market.parked()
      const second = await revising(first)
      if (cancels) await market.acme.post(`/orders/${second}/cancel`, {})
      const { status, body } = await decideOrder(market, first, { decision: 'approve' })
      expect([status, body]).toMatchObject([409, { error_code: 'INVALID_STATE', details: { status: 'canceled', last_seq: 4 } }])
      expect(await market.snapshot(first)).toMatchObject({ status: 'canceled', cancellation: { reason: 'superseded' } })
      expect((await market.snapshot(second)).status).toBe(cancels ? 'canceled' : 'placed')
    }
  })

  it('stays placed when it was placed last, even if the machine that placed the previous one has a wrong clock', async () => {
    const first = await market.placed()
    const [early, late] = [
      await market.parked({ revision: { supersedes: first } }),
      await market.parked({ revision: { supersedes: first } }),
    ]
    const ahead = '2099-01-01T00:00:00.000Z'
    await market.deps.orders.exclusively(early, async ({ order, append }) => {
      const { events } = decide(order, { decision: 'approve', actor: 'desk' }, CONTEXT)
      const sealed = stampEvents(order, events, ahead)
      await append({ ...sealed, command: command(), outcome: '{}' })
    })
    expect((await decideOrder(market, late, { decision: 'approve' })).status).toBe(202)
    for (const orderId of [early, late, first]) await close(orderId)
    const statuses = await Promise.all([first, early, late].map(async (orderId) => (await market.snapshot(orderId)).status))
    expect(statuses).toEqual(['canceled', 'canceled', 'placed'])
    expect((await market.snapshot(late)).updated_at).toBe('2099-01-01T00:00:00.001Z')
  })

  it('is detected by the order that it revises, even while that order is being placed', async () => {
    const { pool } = market.deps.db
    const first = await market.parked()
    await revising(first)
    await pool.query('update orders set root = null where order_id = $1', [first])
    let approving: Promise<{ status: number }> | undefined
    await lockedTransaction(pool, lockOn(first), async (client) => {
      approving = decideOrder(market, first, { decision: 'approve' })
      const waits = `select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`
      await until(async () => (await pool.query(waits)).rowCount === 1)
      await client.query('update orders set root = order_id where order_id = $1', [first])
    })
    expect((await approving)?.status).toBe(409)
    expect((await market.snapshot(first)).status).toBe('canceled')
  })

  it('is refused for an order whose revision is placed: that revision must be revised instead', async () => {
    const first = await market.placed()
    const second = await market.parked({ revision: { supersedes: first } })
    const third = await revising(second)
    for (const supersedes of [first, second]) {
      const { status, body } = await market.acme.post('/orders', market.order({ revision: { supersedes } }))
      expect([status, body.details]).toMatchObject([422, { field: 'revision.supersedes', successor: third }])
    }
    expect((await market.acme.post('/orders', market.order({ revision: { supersedes: third } }))).status).toBe(201)
  })

  it('must revise an order of this buyer with this seller', async () => {
    const theirs = await market.zenith.post('/orders', market.order())
    const answers = new Set<string>()
    for (const supersedes of ['ord_nowhere', theirs.body.order_id]) {
      const { status, body, text } = await market.acme.post('/orders', market.order({ revision: { supersedes } }))
      expect([status, body.details.field]).toEqual([422, 'revision.supersedes'])
      answers.add(text.replaceAll(supersedes, 'the id'))
    }
    expect(answers.size).toBe(1) // nobody learns from it which orders others have
  })
})
