import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import { forgetMarket, MARKET } from '../src/metrics/market.ts'
import type { Database } from '../src/store/connection/database.ts'
import { type MarketFigures, readMarketFigures } from '../src/store/figures/marketFigures.ts'
import { readTableFigures, type TableFigures } from '../src/store/figures/tableFigures.ts'
import { readStuckRuns } from './readStuckRuns.ts'

export interface MarketView {
  stop(): Promise<void>
}

interface MarketDeps {
  readonly db: Pick<Database, 'pool'>
  readonly client: Pick<Client, 'workflow'>
  /** Milliseconds between two reads. */
  readonly pause?: number
}

/**
 * Publishes the figures of the whole marketplace with this process's metrics while it holds a lock that only one worker can hold. When it
 * ends, another worker takes over within `pause`.
 */
export function showMarket({ db, client, pause = 15_000 }: MarketDeps): MarketView {
  const stopping = new AbortController()
  const rest = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined)

  const showWhileHeld = async (): Promise<void> => {
    const holder = await db.pool.connect()
    try {
      const { rows } = await holder.query('select pg_try_advisory_lock(hashtextextended($1, 0)) as held', ['market figures'])
      if (rows[0]?.held !== true) return
      while (!stopping.signal.aborted) {
        const began = performance.now()
        const [figures, stuck] = await Promise.all([readMarketFigures(holder), countStuck(client)])
        const tables = await readTableFigures(holder)
        const took = performance.now() - began
        show(figures, stuck)
        showTables(tables)
        MARKET.readSeconds.set(took / 1_000)
        // A marketplace with millions of open orders spends at most a twentieth of its time on these reads.
        await rest(Math.max(pause, 20 * took))
      }
    } finally {
      forgetMarket()
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

const MOST_STUCK = 1_000

/** Counts runs by their stuck reason; returns undefined while Temporal is away. */
async function countStuck(client: Pick<Client, 'workflow'>): Promise<Map<string, number> | undefined> {
  const runs = await readStuckRuns(client, MOST_STUCK).catch(() => undefined)
  if (runs === undefined) return undefined
  const byReason = new Map<string, number>()
  for (const { reason } of runs) byReason.set(reason, (byReason.get(reason) ?? 0) + 1)
  return byReason
}

function show({ orders, overdue, outbox, backlog, open_drops }: MarketFigures, stuck: Map<string, number> | undefined): void {
  for (const gauge of [MARKET.orders, MARKET.stuck]) gauge.reset()
  for (const { status, age, count } of orders) MARKET.orders.set({ status, age }, count)
  for (const [reason, count] of stuck ?? []) MARKET.stuck.set({ reason }, count)
  MARKET.overdue.set(overdue)
  MARKET.outboxRows.set(outbox.rows)
  MARKET.outboxAge.set(outbox.oldest_s)
  MARKET.backlogAge.set({ kind: 'webhook' }, backlog.webhook_s)
  MARKET.backlogAge.set({ kind: 'queue' }, backlog.queue_s)
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
