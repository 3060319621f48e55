import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { Pool, PoolClient } from 'pg'
import { statement } from '../../../src/store/connection/statement.ts'
import { claimOutbox } from '../../../src/store/orders/outbox.ts'
import { dueReconciliations, LARGE_FROM, markDue, sweepReconciliations } from '../../../src/store/settlement/reconcileQueue.ts'
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
