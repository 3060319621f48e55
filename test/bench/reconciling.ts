import { setTimeout as sleep } from 'node:timers/promises'
import { counted } from './counters.ts'
import type { Bench } from './orderIntake.ts'
import { comparePairs, median } from './pairs.ts'
import { startProgram } from './program.ts'
import { MIB, residentBytes } from './residentMemory.ts'
import { sowReconciliation } from './sowReconciliation.ts'
import { openStage, type Stage } from './stage.ts'

const ORDERS = 20_000
const SPOTS = 50
const ROWS = ORDERS * SPOTS
/** A recompute takes about a minute. */
const MAX_PAIRS = 3

/**
 * P16, the recompute: a million rows of logs, as many spots and nearly as many bills of 20,000 orders, from the wake of their run to the last result,
 * against one join of the three tables whose result is inserted. The ratio is of CPU, since the join has no transactions of its own.
 */
export const reconciling: Bench = (engines, run) => recomputing(engines, run, { id: 'P16', preempted: false })

/** P21, the same where one of a hundred spots was preempted and its agreed makegood has aired on the day after. */
export const reconcilingMakegoods: Bench = (engines, run) => recomputing(engines, run, { id: 'P21', preempted: true })

async function recomputing(
  engines: Parameters<Bench>[0],
  run: Parameters<Bench>[1],
  { id, preempted }: { readonly id: string; readonly preempted: boolean },
): ReturnType<Bench> {
  const stage = await openStage(engines)
  const { address } = await engines.temporal()
  const worker = await startProgram('worker/main', { DATABASE_URL: stage.databaseUrl, TEMPORAL_ADDRESS: address, PORT: '' })
  const seen = { memory: [] as number[], transactions: [] as number[], milliseconds: [] as number[] }
  try {
    await sowReconciliation(stage, { seller: 'summit', orders: ORDERS, spots: SPOTS, preempted })
    const idle = await residentBytes(worker.pid)
    const measured = async (processes: Record<string, number>, work: () => Promise<unknown>) => {
      const counters = await counted({ pool: stage.pool, cpu: processes }, ROWS, async () => void (await work()))
      const value = Object.keys(processes).reduce((total, name) => total + (counters[`cpu_us_${name}`] ?? 0), 0)
      return { value, counters }
    }
    const recompute = async () => {
      await stage.pool.query(`update reconciliations set digest = ''`)
      await stage.pool.query(`insert into reconcile_due (order_id, seller) select order_id, seller from booked_orders`)
      const watch = watching(stage, worker.pid)
      const sample = await measured({ worker: worker.pid, postgres: engines.postgres.pid }, () => recomputed(stage, seen.milliseconds))
      const { memory, transaction } = await watch()
      seen.memory.push((memory - idle) / MIB)
      seen.transactions.push(transaction)
      return sample
    }
    const paired = await comparePairs({
      ...run,
      pairs: Math.min(run.pairs, MAX_PAIRS),
      ours: recompute,
      limit: () => measured({ postgres: engines.postgres.pid }, () => join(stage)),
    })
    const touched = await touchOne(stage)
    const figures = {
      milliseconds: median(seen.milliseconds),
      longest_transaction_ms: Math.max(...seen.transactions),
      worker_growth_mib: Math.max(...seen.memory),
      orders_written_for_one: touched,
    }
    return [
      {
        id,
        work: `Recompute of ${ROWS} as-run rows: ${ORDERS} orders of ${SPOTS} spots${preempted ? ', 1 % preempted and made good' : ''}, every result written`,
        against: 'a three-way join of spots, logs and bills, inserted',
        unit: 'µs of CPU a row',
        goal: 'ratio <= 5, transactions <= 0.5 s, worker growth <= 150 MiB, one touched order written',
        met: paired.ratio <= 5 && figures.longest_transaction_ms <= 500 && figures.worker_growth_mib <= 150 && touched === 1,
        ...paired,
        counters: { ours: { ...paired.counters.ours, ...figures }, limit: paired.counters.limit },
      },
    ]
  } finally {
    await worker.stop()
    await stage.close()
  }
}

/** Wakes the run and times it to the last result. */
async function recomputed(stage: Stage, milliseconds: number[]): Promise<void> {
  const began = performance.now()
  await stage.pool.query(`insert into outbox (kind, target) values ('reconcile', 'summit')`)
  await until(stage, 'select not exists (select from reconcile_due) as holds')
  milliseconds.push(performance.now() - began)
  await until(stage, `select count(*) = ${ORDERS} as holds from reconciliations where digest <> ''`)
}

/** Without nested loops, which are chosen now and then and cost seven times as much. */
async function join({ pool }: Stage): Promise<void> {
  await pool.query('truncate bench_joined')
  await pool.query(`set enable_nestloop = off; set jit = off;
    insert into bench_joined
    select order_id, unit_id, network, air_date, s.units, count(a.order_id), count(b.order_id), s.gross, coalesce(sum(b.rate), 0)
    from booked_spots s left join as_run_rows a using (order_id, unit_id, network, air_date)
      left join billed_rows b using (order_id, unit_id, network, air_date)
    group by order_id, unit_id, network, air_date, s.units, s.gross;
    reset enable_nestloop; reset jit`)
}

/** A row of one order is sent again. Returns how many results were written. */
async function touchOne(stage: Stage): Promise<number> {
  const { rows } = await stage.pool.query<{ horizon: string }>('select feed_txid() as horizon')
  await stage.pool.query(`update billed_rows set rate = 90 where order_id = 'ord_7' and air_date = '2027-02-03'`)
  await stage.pool.query(`insert into reconcile_due (order_id, seller) select 'ord_' || o, 'summit' from generate_series(1, 400) as o`)
  await recomputed(stage, [])
  const written = await stage.pool.query('select from reconciliations where changed_txid > $1::xid8', [rows[0]?.horizon])
  return written.rowCount ?? 0
}

/** Watches until it is stopped: the memory of the worker, and the oldest transaction that has written. */
function watching({ pool }: Stage, worker: number) {
  let isOver = false
  const max = { memory: 0, transaction: 0 }
  const sampling = (async () => {
    while (!isOver) {
      max.memory = Math.max(max.memory, await residentBytes(worker))
      const { rows } = await pool.query<{ ms: number | null }>(OLDEST)
      max.transaction = Math.max(max.transaction, rows[0]?.ms ?? 0)
      await sleep(100)
    }
  })()
  return async () => {
    isOver = true
    await sampling
    return max
  }
}

const OLDEST = `select (extract(epoch from max(clock_timestamp() - xact_start)) * 1000)::float8 as ms from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and backend_xid is not null and pid <> pg_backend_pid()`

async function until({ pool }: Stage, sql: string): Promise<void> {
  while ((await pool.query<{ holds: boolean }>(sql)).rows[0]?.holds !== true) await sleep(50)
}
