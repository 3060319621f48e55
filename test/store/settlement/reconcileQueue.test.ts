import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { Pool, PoolClient } from 'pg'
import { statement } from '../../../src/store/connection/statement.ts'
import { claimOutbox } from '../../../src/store/orders/outbox.ts'
import { markDue, sweepReconciliations } from '../../../src/store/settlement/reconcileQueue.ts'
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
