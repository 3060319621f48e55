import { Gauge } from 'prom-client'
import { REGISTRY } from './registry.ts'

/**
 * Figures of the whole marketplace. One of the workers reads them from the database and Temporal and shows them; the others show none, so
 * that sums over all processes are right.
 */
const registers = [REGISTRY]

const plain: Gauge[] = []
const single = (name: string, help: string): Gauge => {
  const gauge = new Gauge({ name, help, registers })
  plain.push(gauge)
  return gauge
}

export const MARKET = {
  orders: new Gauge({
    name: 'orders',
    help: 'Open orders, by status and by time since their creation: `1h` (less than an hour), `1d`, `7d`, `older`.',
    labelNames: ['status', 'age'] as const,
    registers,
  }),
  overdue: single('orders_overdue', 'Orders in seller_review whose decision is overdue.'),
  stuck: new Gauge({
    name: 'orders_stuck',
    help: 'Runs in Temporal that show an `OrderStuckReason`, at most 1,000 in all, by that [reason](stuck-reasons.md).',
    labelNames: ['reason'] as const,
    registers,
  }),
  outboxRows: single('outbox_rows', 'Rows of the outbox, those that a worker is at included, at most 100,000.'),
  outboxAge: single('outbox_oldest_age_seconds', 'Age of the oldest row of the outbox; 0 when there is none.'),
  backlogAge: new Gauge({
    name: 'delivery_backlog_age_seconds',
    help: 'Age of the oldest webhook delivery that waits (`webhook`), and for how long a message queue has been failing (`queue`); 0 when none is.',
    labelNames: ['kind'] as const,
    registers,
  }),
  endpoints: new Gauge({
    name: 'webhook_endpoints',
    help: 'Webhook endpoints that get nothing: `failing` (active, and every attempt since some time has failed) or `disabled`.',
    labelNames: ['state'] as const,
    registers,
  }),
  unsentMailAge: single('edi_oldest_unsent_seconds', 'Age of the oldest order mail that was not sent; 0 when none waits.'),
  openDrops: single('drops_open', 'File drops in progress.'),
  tableBytes: new Gauge({
    name: 'db_table_bytes',
    help: 'Size of each of the twenty largest tables, by part: `rows`, `indexes`; as its last vacuum or analyze found it.',
    labelNames: ['table', 'part'] as const,
    registers,
  }),
  tableRows: new Gauge({
    name: 'db_table_rows',
    help: 'Rows of each of these tables as PostgreSQL counts them, by state: `live`, or `dead` until a vacuum.',
    labelNames: ['table', 'state'] as const,
    registers,
  }),
  readSeconds: single('market_figures_read_seconds', 'Time that the last read of these figures took.'),
} as const

/** Clears the figures, so that this process shows none until they are read again. */
export function deleteMarket(): void {
  for (const gauge of Object.values(MARKET)) gauge.reset()
  for (const gauge of plain) gauge.remove()
}
deleteMarket() // a gauge without labels begins at 0
