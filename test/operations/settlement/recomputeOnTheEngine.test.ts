import type { ChildProcess } from 'node:child_process'
import { describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { LINES_PER_BATCH } from '../../../src/store/settlement/saveReconciliations.ts'
import { runIdOf } from '../../../worker/runs.ts'
import { ORDER_ATTRIBUTES } from '../../../workflows/searchAttributes.ts'
import { endProcess } from '../../support/childProcesses.ts'
import { endAttempts } from '../../support/engines/endAttempts.ts'
import { useWorkers } from '../../support/engines/useWorkers.ts'
import { anAiring } from '../../support/settlement/aSellerRow.ts'
import { bookOrders } from '../../support/settlement/bookOrders.ts'
import { markDue, recomputeOf, writeRows } from '../../support/settlement/reconciling.ts'
import { until } from '../../support/until.ts'
import { useApp } from '../../support/useApp.ts'

const SELLER = 'station'
const app = useApp()
const workers = useWorkers(app)

const rows = async (sql: string) => (await app.owner().query(sql)).rows
const count = async (sql: string) => Number((await rows(`select count(*) from ${sql}`))[0].count)
const wake = () => rows(`insert into outbox (kind, target) values ('reconcile', '${SELLER}')`)
const isDone = async () => (await count('reconcile_due')) === 0
const dump = () =>
  rows(`select order_id, revision, r.totals, encode(digest, 'hex') as digest, line, body from reconciliations r
    left join reconciliation_lines l using (order_id, result) order by order_id, line`)

const END_WAITING = `select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`

/** Kills a worker when one of its transactions waits for what `lock` holds. Then nothing of it is left in the database. */
async function killWhereItWaits(lock: string): Promise<ChildProcess> {
  const client = new pg.Client({ connectionString: app.databaseUrl })
  client.on('error', () => undefined) // of a test that has failed
  await client.connect()
  await client.query(`begin; ${lock}`)
  const worker = await workers.start()
  await wake()
  await until(async () => (await count(`pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)) > 0, 90)
  await endProcess(worker, 'SIGKILL')
  // What the dead worker has sent to the database would be carried out as soon as the lock is free.
  await until(async () => (await client.query(END_WAITING)).rowCount === 0, 20)
  await client.end()
  return worker
}

/** Starts a worker that goes on where a killed one was. */
async function takeOver(dead: ChildProcess): Promise<ChildProcess> {
  const worker = await workers.start()
  await endAttempts(workers.env.client, runIdOf('reconcile', SELLER), dead)
  await wake()
  return worker
}

describe('a worker that is killed in the middle of a recompute', () => {
  const ORDERS = 250
  const ids = Array.from({ length: ORDERS }, (_, index) => `ord_${String(index).padStart(3, '0')}`)

  it('leaves whole results, and what it has not written is written once', async () => {
    const recompute = recomputeOf(app)
    await bookOrders(app.deps.db, ...ids.map((order_id) => ({ order_id, units: [`u1-${order_id}`, `u2-${order_id}`] })))
    await markDue(app.deps.db, SELLER, ids)
    await recompute(SELLER)
    await writeRows(
      app.deps.db,
      SELLER,
      ids.map((order_id) => ({ order_id, row: anAiring({ isci: undefined }) })),
    )
    const dead = await killWhereItWaits(`select from reconciliations where order_id = '${ids.at(-1)}' for update`)
    const written = await count('reconciliations where revision = 2')
    expect(written).toBeGreaterThan(0)
    expect(written).toBeLessThan(ORDERS)
    expect(await count('reconcile_due')).toBe(ORDERS - written)

    const worker = await takeOver(dead)
    await until(isDone, 90)
    expect(await count('reconciliations where revision = 2')).toBe(ORDERS)
    const incremental = await dump()
    await workers.env.client.workflow.getHandle(runIdOf('reconcile', SELLER)).result()
    await endProcess(worker, 'SIGKILL')

    await rows('delete from reconciliation_lines; delete from reconciliations')
    await markDue(app.deps.db, SELLER, ids)
    await recompute(SELLER)
    expect((await dump()).map((row) => ({ ...row, revision: 2 }))).toEqual(incremental)
  }, 240_000)

  it('shows no part of a large order, and leaves no line of it', async () => {
    const recompute = recomputeOf(app)
    const lines = 9_000
    await bookOrders(app.deps.db, { order_id: 'ord_large', units: Array.from({ length: lines }, (_, index) => `unit_${index}`) })
    await markDue(app.deps.db, SELLER, ['ord_large'])
    await recompute(SELLER)
    const before = await dump()
    await writeRows(app.deps.db, SELLER, [{ order_id: 'ord_large', row: anAiring({ unit_id: 'unit_0', isci: undefined }) }])
    // The second of the transactions that write its lines waits.
    await rows(`create function wait_at_line() returns trigger language plpgsql as $$ begin
        if exists (select from added where line = ${LINES_PER_BATCH + 1}) then perform pg_advisory_xact_lock(77); end if; return null; end $$;
      create trigger wait_at_line after insert on reconciliation_lines referencing new table as added for each statement execute function wait_at_line()`)
    const dead = await killWhereItWaits('select pg_advisory_xact_lock(77)')
    expect(await count(`reconciliation_lines where order_id = 'ord_large'`)).toBe(lines + LINES_PER_BATCH)
    expect(await dump()).toEqual(before)
    await rows('drop function wait_at_line cascade')

    await takeOver(dead)
    await until(isDone, 90)
    expect(
      await rows(
        `select revision, totals->'missed' as missed, totals->'aired_in_spec' as aired from reconciliations where order_id = 'ord_large'`,
      ),
    ).toEqual([{ revision: 2, missed: lines - 1, aired: 1 }])
    expect(await count(`reconciliation_lines where order_id = 'ord_large'`)).toBe(lines)
  }, 240_000)
})

describe('the run of a seller', () => {
  it('shows operators that an order cannot be reconciled', async () => {
    await bookOrders(app.deps.db, { order_id: 'ord_broken', units: ['unit_broken'] })
    await rows(`update booked_spots set windows = '[{"start":null,"end":null}]' where order_id = 'ord_broken'`)
    await markDue(app.deps.db, SELLER, ['ord_broken'])
    await wake()
    const run = workers.env.client.workflow.getHandle(runIdOf('reconcile', SELLER))
    const shown = async () => (await run.describe()).typedSearchAttributes
    await until(async () => (await shown()).get(ORDER_ATTRIBUTES.OrderStuckReason) === 'reconcile:failing', 60)
    expect((await shown()).get(ORDER_ATTRIBUTES.OrderSeller)).toBe(SELLER)

    await rows(`update booked_spots set windows = '[{"start":"20:00","end":"23:00"}]' where order_id = 'ord_broken'`)
    await markDue(app.deps.db, SELLER, ['ord_broken'])
    await wake()
    await until(isDone, 60)
    await run.result()
    expect((await shown()).get(ORDER_ATTRIBUTES.OrderStuckReason)).toBeUndefined()
  }, 180_000)
})
