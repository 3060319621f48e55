import { MAIL_FAULTS_SHOWN, type OpsHealth } from '../../contract/opsHealth.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import { marketFigures } from '../figures/marketFigures.ts'
import { countStuckOrders } from './opsOrders.ts'

/** Reads what waits and which workers are active, from the views of migration 0013. */
export async function readOpsHealth(db: Pick<Database, 'pool'>): Promise<OpsHealth> {
  const now = new Date()
  const at = now.toISOString()
  const [figures, stuck, engine, workers, mailFaults] = await Promise.all([
    readOpsFigures(db.pool, now.getTime()),
    countStuckOrders(db, at),
    db.pool.query<EngineRow>(ENGINE.bind({})),
    db.pool.query<OpsHealth['workers'][number]>(WORKERS.bind({})),
    db.pool.query<OpsHealth['mail_faults'][number]>(MAIL_FAULTS.bind({})),
  ])
  const { age_s, reported_at, reachable, schedules } = engine.rows[0] as EngineRow
  const { orders, overdue, outbox, backlog, webhook_endpoints, open_drops } = figures
  return {
    at,
    orders: { open: orders.map(({ count, ...one }) => ({ ...one, orders: count })) as OpsHealth['orders']['open'], overdue, stuck },
    outbox,
    feed: { age_s },
    backlog,
    webhook_endpoints,
    mail_faults: mailFaults.rows,
    open_drops,
    workers: workers.rows,
    temporal: { reachable: reachable === true, reported_at, schedules: schedules ?? [] },
  }
}

const readOpsFigures = marketFigures('ops_')

interface EngineRow {
  age_s: number
  reported_at: string | null
  reachable: boolean | null
  schedules: OpsHealth['temporal']['schedules'] | null
}

/** Reads the age of the feed, and the last report on Temporal: one row. */
const ENGINE = statement(
  'ops-engine',
  [],
  `select ops_feed_age() as age_s, e.* from (select) one left join (
    select reported_at, reachable and reported_at > now() - interval '15 seconds' as reachable, schedules from ops_engine_reports
  ) e on true`,
)

/** Reads the mails of the last days whose document failed its own check, from the view of migration 0013. */
const MAIL_FAULTS = statement(
  'ops-mail-faults',
  [],
  `select message_id, order_id, seller, status_reason, created_at from ops_edi_messages
    where status = 'failed' and status_reason like 'invalid_document:%' and created_at > now() - interval '7 days'
    order by created_at desc limit ${MAIL_FAULTS_SHOWN}`,
)

/** Reads the workers that were seen recently. */
const WORKERS = statement(
  'ops-workers',
  [],
  `select worker_id, started_at, seen_at, seen_at > now() - interval '15 seconds' as alive from ops_workers
    where seen_at > now() - interval '1 hour' order by seen_at desc limit 100`,
)
