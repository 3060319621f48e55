import { type components, itemsOf, type OrderListItem } from '../../../client/src/index.ts'
import { amount } from '../money.ts'
import { type TableColumn, write, writeFields, writeJson, writeTable } from '../output.ts'
import type { Session } from '../session.ts'

type Schemas = components['schemas']
type Line = Schemas['LineResultOutput']
export type OrderEvent = Schemas['OrderEventOutput']

export async function listOrders(session: Session, options: ListOptions): Promise<void> {
  const { operations } = await session.client()
  const list = (await session.side()) === 'buyer' ? operations.listOrders : operations.listReceivedOrders
  const { status, workflow, seller, buyer, advertiser, externalId, waitingOn, updatedSince, query: q, limit } = options
  const given = {
    ...{ status: status?.join(','), workflow: workflow?.join(','), seller, buyer, advertiser_id: advertiser, q },
    ...{ external_order_id: externalId, waiting_on: waitingOn, updated_since: updatedSince },
  }
  const query = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const rows: OrderListItem[] = []
  const pages = itemsOf(async (cursor) => {
    const { orders: items, next_cursor } = (await list({ query: { ...query, ...cursor, limit: Math.min(limit, 200) } })).body
    return { items, next_cursor }
  })
  for await (const order of pages) if (rows.push(order) >= limit) break
  return session.json ? writeJson(rows) : writeTable(ORDERS, rows)
}

const ORDERS: readonly TableColumn<OrderListItem>[] = [
  { head: 'order', of: ({ order_id }) => order_id },
  { head: 'external id', of: ({ external_order_id }) => external_order_id },
  { head: 'buyer', of: ({ buyer_entity }) => buyer_entity },
  { head: 'seller', of: ({ seller }) => seller },
  { head: 'status', of: ({ status }) => status },
  { head: 'waits for', of: ({ waiting_on }) => (waiting_on ? `${waiting_on.party}${waiting_on.overdue ? ', overdue' : ''}` : '') },
  { head: 'gross', of: ({ totals }) => `${amount(totals.gross)} ${totals.currency}`, right: true },
  { head: 'created', of: ({ created_at }) => created_at },
]

export async function showOrder(session: Session, { events }: ShowOptions, order_id: string): Promise<void> {
  const { operations } = await session.client()
  const read = (await session.side()) === 'buyer' ? operations.getOrder : operations.getReceivedOrder
  const order = (await read({ path: { order_id } })).body
  const log = events === true ? await readLog(session, order_id) : undefined
  if (session.json) return writeJson(log === undefined ? order : { ...order, events: log })
  const { waiting_on, totals, error, cancellation } = order
  await writeFields([
    ['order', `${order.order_id} (${order.external_order_id})`],
    ['buyer', order.buyer_entity],
    ['seller', order.seller],
    ['workflow', order.workflow],
    ['status', `${order.status}${order.substatus === null ? '' : `, ${order.substatus}`} at event ${order.last_seq}`],
    ['waits for', waiting_on && `${waiting_on.party}${waiting_on.due_by === undefined ? '' : ` until ${waiting_on.due_by}`}`],
    ['you may', order.allowed_actions.map((action) => (typeof action === 'string' ? action : JSON.stringify(action))).join(', ')],
    ['failed', error && `${error.error_code}: ${error.error_message}`],
    ['canceled', cancellation && `by ${cancellation.actor}: ${cancellation.reason}`],
    ['gross', `${amount(totals.gross)} ${totals.currency}`],
    ['created', order.created_at],
  ])
  await write('\n')
  await lines(order.line_items)
  if (log !== undefined) await write(`\n${log.map((event) => `${lineOfEvent(event)}\n`).join('')}`)
}

/** Writes the lines of an order as a table. */
export async function lines(items: readonly Line[]): Promise<void> {
  if (items.length > 0) await writeTable(LINES, items)
}

const LINES: readonly TableColumn<Line>[] = [
  { head: 'line', of: ({ unit_id }) => unit_id },
  { head: 'product', of: ({ product_id }) => product_id },
  { head: 'period', of: ({ period }) => period.start },
  { head: 'length', of: ({ spot_length }) => spot_length, right: true },
  { head: 'units', of: ({ units }) => units, right: true },
  { head: 'accepted', of: ({ num_accepted }) => num_accepted, right: true },
  { head: 'status', of: ({ status }) => status },
  {
    head: 'rate',
    of: ({ rate: { unit_cost, cpm = 0 } }) => (unit_cost === undefined ? `${amount(cpm)} cpm` : amount(unit_cost)),
    right: true,
  },
  { head: 'reason', of: ({ reason }) => reason },
]

/** Returns every event of an order from one on. */
export async function readLog(session: Session, order: string, after = 0): Promise<OrderEvent[]> {
  const { operations } = await session.client()
  const log: OrderEvent[] = []
  for (let after_seq = after; ; ) {
    const { events } = (await operations.replayEvents({ query: { order, after_seq: String(after_seq) } })).body
    log.push(...events)
    const last = events.at(-1)?.seq
    if (last === undefined) return log
    after_seq = last
  }
}

/** Returns an event of an order as a line for people. */
export function lineOfEvent({ occurred_at, seq, status, prior_status, substatus, decision_record: decided, error }: OrderEvent): string {
  const step = prior_status === null ? status : `${prior_status} -> ${status}`
  const who = decided === undefined ? '' : `  ${decided.decision} by ${decided.actor}`
  return `${occurred_at}  ${String(seq).padStart(3)}  ${step}${substatus === null ? '' : ` (${substatus})`}${who}${error ? `  ${error.error_code}: ${error.error_message}` : ''}`
}

export interface ListOptions {
  readonly status?: string[]
  readonly workflow?: string[]
  readonly seller?: string
  readonly buyer?: string
  readonly advertiser?: string
  readonly externalId?: string
  readonly waitingOn?: string
  readonly updatedSince?: string
  readonly query?: string
  readonly limit: number
}

export interface ShowOptions {
  readonly events?: boolean
}
