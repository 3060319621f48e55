import { LINES_PER_ORDER } from '../contract/vocabulary.ts'
import { dateOf } from '../domain/calendar.ts'
import { readDocument } from '../domain/document/readDocument.ts'
import type { TablesRead } from '../domain/document/table.ts'
import { parseDocument as parse, type Reading } from '../domain/order/parseDocument.ts'
import type { OrderState } from '../domain/order/state.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Database } from '../store/database.ts'
import { type OrderHead, requireHead } from '../store/orderHead.ts'
import type { OrderLog } from '../store/orderLog.ts'
import { applyCommand } from './applyCommand.ts'
import { resolveDocument } from './resolveDocument.ts'

/** The workflow's step once the tables of a document order's document have been read: its order waits for the buyer, or fails. */
export async function parseDocument(log: OrderLog, db: Database, orderId: string, commandId: string, read: TablesRead): Promise<OrderHead> {
  const order = await log.load(orderId)
  if (order === undefined) throw new Refusal('NOT_FOUND', `There is no order ${orderId}.`)
  const reading = await readingOf(db, order, read)
  await applyCommand(log, orderId, { id: commandId, wake: false }, (current) => parse(current, reading))
  return requireHead(db, orderId)
}

async function readingOf(db: Database, order: OrderState, read: TablesRead): Promise<Reading> {
  if ('unreadable' in read) return read
  const { request, facts } = order
  const document = readDocument(read.tables, request.flight?.start ?? dateOf(facts.created_at))
  if (document === undefined) return { unreadable: 'no table in it has lines below a header that names products, units and prices' }
  if (document.lines.length > LINES_PER_ORDER)
    return { unreadable: `it has ${document.lines.length} lines, and an order at most ${LINES_PER_ORDER}` }
  const lines = await resolveDocument(
    db,
    order,
    document.lines.map((line, index) => ({ line: index + 1, read: line })),
  )
  return { lines, totals: document.totals }
}
