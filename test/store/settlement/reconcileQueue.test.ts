import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { Pool, PoolClient } from 'pg'
import { statement } from '../../../src/store/connection/statement.ts'
import { claimOutbox } from '../../../src/store/orders/outbox.ts'
import {
  dropMark,
  dueReconciliations,
  LARGE_FROM,
  markDue,
  postponeReconciliation,
  readReconcileState,
  sweepReconciliations,
} from '../../../src/store/settlement/reconcileQueue.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
const MARK = statement('mark-some', ['seller', 'ids'], `with ${markDue('select unnest(:ids::text[]) as order_id')} select`)
const mark = (on: Pick<Pool | PoolClient, 'query'>, ...ids: string[]) => on.query(MARK.bind({ seller: 'station', ids }))
const waiting = async () => (await db.pool.query<{ target: string }>(`select target from outbox where kind = 'reconcile'`)).rows
const makeClaimable = () => db.pool.query('update outbox set claimable_at = now()')

beforeAll(async () => {
  await db.owner().query(`insert into tenants (entity, side, name) values ('station', 'seller', 'Station')`)
  await db.owner().query(`insert into sellers (seller, profile) values ('station', '{}')`)
})
beforeEach(async () => {
  for (const table of ['outbox', 'reconcile_due']) await db.pool.query(`delete from ${table}`)
})

describe('a mark', () => {
  it('wakes the run of its seller once, however many there are', async () => {
    await mark(db.pool, 'ord_1', 'ord_2')
    await mark(db.pool, 'ord_3')
    await mark(db.pool, 'ord_1')
    expect(await waiting()).toEqual([{ target: 'station' }])
  })

  it('of no order wakes nobody', async () => {
    await mark(db.pool)
    expect(await waiting()).toEqual([])
  })

  it('that relies on a row which waits keeps it from the relay until it is committed, and makes no other wait', async () => {
    await mark(db.pool, 'ord_1')
    await makeClaimable()
    const client = await db.pool.connect()
    await client.query('begin')
    await mark(client, 'ord_2')
    expect(await claimOutbox(db.pool, 10)).toEqual([])
    await mark(db.pool, 'ord_3')
    expect(await waiting()).toHaveLength(2)
    await client.query('commit')
    client.release()
    await makeClaimable()
    expect((await claimOutbox(db.pool, 10)).map(({ kind, target }) => [kind, target])).toEqual([
      ['reconcile', 'station'],
      ['reconcile', 'station'],
    ])
  })

  it('does not rely on a row that was claimed: its run may have looked already', async () => {
    await mark(db.pool, 'ord_1')
    await makeClaimable()
    await claimOutbox(db.pool, 10)
    await mark(db.pool, 'ord_2')
    expect(await waiting()).toHaveLength(2)
  })
})

it('an order that is due is known to have many lines, of whatever result, until they are gone', async () => {
  await mark(db.pool, 'ord_1', 'ord_2')
  const write = (order_id: string, lines: number) =>
    db.pool.query(
      `insert into reconciliation_lines (order_id, result, line, seller, buyer_entity, network, air_date, broadcast_month, codes, body)
        select $1, 7, n, 'station', 'agency', 'CBL', '2026-12-07', '2026-12', '{}', '{}' from generate_series(1, $2::int) n`,
      [order_id, lines],
    )
  const sizes = async () => (await dueReconciliations(db, 'station', 10)).map(({ order_id, size }) => [order_id, size.hasManyLines])
  await write('ord_1', LARGE_FROM)
  await write('ord_2', LARGE_FROM + 1)
  expect(await sizes()).toEqual([
    ['ord_1', false],
    ['ord_2', true],
  ])
  await db.pool.query(`delete from reconciliation_lines where order_id = 'ord_2' and line > 1`)
  expect(await sizes()).toEqual([
    ['ord_1', false],
    ['ord_2', false],
  ])
  await db.pool.query('delete from reconciliation_lines')
})

describe('the sweep', () => {
  it('wakes sellers whose orders have been due for a minute, and not those of which some are due later', async () => {
    await mark(db.pool, 'ord_1')
    await db.pool.query('delete from outbox')
    expect(await sweepReconciliations(db)).toBe(0)
    await db.pool.query(`update reconcile_due set due_at = now() + interval '1 hour'`)
    expect(await sweepReconciliations(db)).toBe(0)
    await db.pool.query(`update reconcile_due set due_at = now() - interval '2 minutes'`)
    expect(await sweepReconciliations(db)).toBe(1)
    expect(await sweepReconciliations(db)).toBe(0)
    expect(await waiting()).toEqual([{ target: 'station' }])
  })
})

describe('an order that cannot be reconciled', () => {
  const due = async () =>
    (
      await db.pool.query(
        `select attempts, fault, round(extract(epoch from due_at - now()) / 60)::int as minutes from reconcile_due where order_id = 'ord_1'`,
      )
    ).rows[0]
  const markOf = async (id: string) =>
    (await db.owner().query('select xmin::text as mark from reconcile_due where order_id = $1', [id])).rows[0].mark as string

  it('is due again later and later, up to six hours, and at once when it is marked again', async () => {
    await mark(db.pool, 'ord_1', 'ord_2')
    for (const [attempts, minutes] of [
      [1, 1],
      [2, 2],
      [3, 4],
    ]) {
      await postponeReconciliation(db, 'ord_1', await markOf('ord_1'), 'x'.repeat(501))
      expect(await due()).toEqual({ attempts, minutes, fault: 'x'.repeat(500) })
    }
    await db.owner().query('update reconcile_due set attempts = 40')
    await postponeReconciliation(db, 'ord_1', await markOf('ord_1'), 'y')
    expect(await due()).toEqual({ attempts: 41, minutes: 360, fault: 'y' })
    expect((await dueReconciliations(db, 'station', 10)).map(({ order_id }) => order_id)).toEqual(['ord_2'])
    await mark(db.pool, 'ord_1')
    expect(await dueReconciliations(db, 'station', 10)).toHaveLength(2)
  })

  it('that was marked again in the meantime is neither postponed nor done', async () => {
    await mark(db.pool, 'ord_1', 'ord_2')
    const before = await markOf('ord_1')
    await mark(db.pool, 'ord_1')
    await postponeReconciliation(db, 'ord_1', before, 'x')
    await dropMark(db, { order_id: 'ord_1', mark: before })
    expect(await due()).toEqual({ attempts: 0, minutes: 0, fault: null })
    await dropMark(db, { order_id: 'ord_2', mark: await markOf('ord_1') })
    await dropMark(db, { order_id: 'ord_1', mark: await markOf('ord_1') })
    expect((await dueReconciliations(db, 'station', 10)).map(({ order_id }) => order_id)).toEqual(['ord_2'])
  })

  it('is passed while it is being marked, and those of a seller come by the longest due, then by id', async () => {
    await mark(db.pool, 'ord_3', 'ord_2', 'ord_1')
    await db.owner().query(`update reconcile_due set due_at = now() - interval '1 s'`)
    await db.owner().query(`update reconcile_due set due_at = now() - interval '2 s' where order_id = 'ord_3'`)
    const ids = async (seller = 'station', limit = 10) => (await dueReconciliations(db, seller, limit)).map(({ order_id }) => order_id)
    expect([await ids(), await ids('station', 2), await ids('cable')]).toEqual([['ord_3', 'ord_1', 'ord_2'], ['ord_3', 'ord_1'], []])
    const client = await db.pool.connect()
    await client.query('begin')
    await mark(client, 'ord_3')
    expect(await ids()).toEqual(['ord_1', 'ord_2'])
    await client.query('rollback')
    client.release()
  })
})

describe('the state of a seller', () => {
  it('is when its next order is due, how many wait, and how many have failed', async () => {
    expect(await readReconcileState(db, 'station')).toEqual({ seller: 'station', at: null, waiting: 0, failing: 0 })
    await mark(db.pool, 'ord_1', 'ord_2')
    await db.owner().query(`update reconcile_due set due_at = '2030-01-02T00:00:00Z'`)
    await db.owner().query(`update reconcile_due set due_at = '2030-01-01T00:00:00Z', attempts = 1 where order_id = 'ord_2'`)
    expect(await readReconcileState(db, 'station')).toMatchObject({ at: '2030-01-01T00:00:00.000Z', waiting: 2, failing: 1 })
    expect(await readReconcileState(db, 'cable')).toMatchObject({ at: null, waiting: 0, failing: 0 })
  })
})
