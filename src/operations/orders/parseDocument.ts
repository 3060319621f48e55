import { createHash } from 'node:crypto'
import { dateOf, type IsoDate } from '../../domain/calendar.ts'
import { askedQuestions } from '../../domain/document/askedQuestions.ts'
import type { DocumentReading } from '../../domain/document/reading.ts'
import type { OrderHead } from '../../domain/order/head.ts'
import { parseDocument as parse, type Reading } from '../../domain/order/parseDocument.ts'
import type { OrderState } from '../../domain/order/state.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Database } from '../../store/connection/database.ts'
import { rememberedAnswers } from '../../store/files/documentLayouts.ts'
import type { OrderLog } from '../../store/orders/orderLog.ts'
import { applyStep } from './applyCommand.ts'
import { resolveDocument } from './resolveDocument.ts'

/** Runs the workflow's step after a document was read: the order then waits for the buyer, or fails. */
export async function parseDocument(
  log: OrderLog,
  db: Database,
  orderId: string,
  commandId: string,
  read: DocumentReading,
): Promise<OrderHead> {
  const order = await log.load(orderId)
  if (order === undefined) throw new Refusal('NOT_FOUND', `There is no order ${orderId}.`)
  const reading = await readingOf(db, order, read)
  return (await applyStep(log, orderId, { id: commandId, wake: false }, (current) => parse(current, reading))).head
}

/** Returns the date from which dates without a year in an order's document are resolved. */
export function anchorOf({ request, facts }: OrderState): IsoDate {
  return request.flight?.start ?? dateOf(facts.created_at)
}

async function readingOf(db: Database, order: OrderState, read: DocumentReading): Promise<Reading> {
  if ('unreadable' in read) return read
  const lines = await resolveDocument(
    db,
    order,
    read.lines.map((line, index) => ({ line: index + 1, read: line, doubts: [...(read.doubts[index] ?? [])] })),
  )
  const fingerprint = read.headings === undefined ? undefined : fingerprintOf(read.headings)
  const { buyer_entity: buyer } = order.facts
  const remembered = fingerprint === undefined ? [] : await rememberedAnswers(db, { buyer, seller: order.request.seller, fingerprint })
  const questions = askedQuestions(read.questions ?? [], lines, remembered)
  const family = read.family === undefined ? {} : { family: read.family }
  const layout = fingerprint === undefined ? {} : { layout: { ...family, fingerprint } }
  return { lines, totals: read.totals, questions, ignored: read.ignored ?? [], ...layout }
}

/** Names a layout by the words of its headings. */
function fingerprintOf(headings: string): string {
  return createHash('sha256').update(headings).digest('hex').slice(0, FINGERPRINT_CHARACTERS)
}

const FINGERPRINT_CHARACTERS = 32
