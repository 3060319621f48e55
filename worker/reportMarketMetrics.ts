import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import type pg from 'pg'
import { addUp } from '../src/domain/addUp.ts'
import { deleteMarket, MARKET } from '../src/metrics/market.ts'
import type { Database } from '../src/store/connection/database.ts'
import { type MarketFigures, readMarketFigures } from '../src/store/figures/marketFigures.ts'
import { readTableFigures, type TableFigures } from '../src/store/figures/tableFigures.ts'
import { inTime } from './inTime.ts'
import { readStuckRuns } from './readStuckRuns.ts'
import { type Repeated, repeat } from './repeat.ts'

export interface MarketView {
  stop(): Promise<void>
}

interface MarketDeps {
  readonly db: Pick<Database, 'pool'>
  readonly client: Pick<Client, 'workflow' | 'withDeadline'>
  /** Milliseconds between two reads. */
  readonly pause?: number
}

/**
 * Publishes the figures of the whole marketplace with this process's metrics while it holds a lock that only one worker can hold. When it
 * ends, another worker takes over within `pause`.
 */
export function reportMarketMetrics({ db, client, pause = 15_000 }: MarketDeps): MarketView {
  const stopping = new AbortController()
  const rest = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined)

  /** Reads the figures of the database on a clock of their own: a Temporal that is away must not keep them old. */
  const showFigures = async (holder: pg.PoolClient): Promise<void> => {
    while (!stopping.signal.aborted) {
      const began = performance.now()
      const figures = await readMarketFigures(holder)
      const tables = await readTableFigures(holder)
      const took = performance.now() - began
      show(figures)
      showTables(tables)
      MARKET.readSeconds.set(took / 1_000)
      // A marketplace with millions of open orders spends at most a twentieth of its time on these reads.
      await rest(Math.max(pause, 20 * took))
    }
  }

  const showWhileHeld = async (): Promise<void> => {
    const holder = await db.pool.connect()
    let counting: Repeated | undefined
    try {
      const { rows } = await holder.query('select pg_try_advisory_lock(hashtextextended($1, 0)) as held', ['market figures'])
      if (rows[0]?.held !== true) return
      counting = repeat(
        pause,
        async (ended) => showStuck(await countStuck(client, ended)),
        () => MARKET.stuck.reset(),
      )
      await showFigures(holder)
    } finally {
      await counting?.stop()
      deleteMarket()
      holder.release(true) // closing the connection releases the lock
    }
  }
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await showWhileHeld().catch(() => undefined) // the database is away, which other parts report
      await rest(pause)
    }
  }
  const running = run()
  return {
    stop: () => {
      stopping.abort()
      return running
    },
  }
}

const MAX_STUCK = 1_000
/** Keeps a Temporal that hangs from showing an old count for longer. */
const CALL_MS = 5_000

/** Counts runs by their stuck reason. Fails while Temporal is away. */
async function countStuck(client: MarketDeps['client'], ended: AbortSignal): Promise<Map<string, number>> {
  const byReason = new Map<string, number>()
  for (const { reason } of await inTime(client, CALL_MS, () => readStuckRuns(client, MAX_STUCK), ended)) addUp(byReason, reason)
  return byReason
}

function showStuck(stuck: Map<string, number>): void {
  MARKET.stuck.reset()
  for (const [reason, count] of stuck) MARKET.stuck.set({ reason }, count)
}

function show({ orders, overdue, outbox, backlog, webhook_endpoints, open_drops }: MarketFigures): void {
  MARKET.orders.reset()
  for (const { status, age, count } of orders) MARKET.orders.set({ status, age }, count)
  MARKET.overdue.set(overdue)
  MARKET.outboxRows.set(outbox.rows)
  MARKET.outboxAge.set(outbox.oldest_s)
  MARKET.backlogAge.set({ kind: 'webhook' }, backlog.webhook_s)
  MARKET.backlogAge.set({ kind: 'queue' }, backlog.queue_s)
  MARKET.endpoints.set({ state: 'failing' }, webhook_endpoints.failing)
  MARKET.endpoints.set({ state: 'disabled' }, webhook_endpoints.disabled)
  MARKET.unsentMailAge.set(backlog.mail_s)
  MARKET.openDrops.set(open_drops)
}

function showTables(tables: readonly TableFigures[]): void {
  for (const gauge of [MARKET.tableBytes, MARKET.tableRows]) gauge.reset()
  for (const { name: table, table_bytes, index_bytes, live_rows, dead_rows } of tables) {
    MARKET.tableBytes.set({ table, part: 'rows' }, table_bytes)
    MARKET.tableBytes.set({ table, part: 'indexes' }, index_bytes)
    MARKET.tableRows.set({ table, state: 'live' }, live_rows)
    MARKET.tableRows.set({ table, state: 'dead' }, dead_rows)
  }
}
