import type { ConfirmOrder, ConfirmPreview, ConfirmReply } from '../../contract/confirmOrder.ts'
import type { DocumentParse } from '../../contract/documentParse.ts'
import type { Gate } from '../../contract/vocabulary.ts'
import { type Answered, answered } from '../../domain/document/answers.ts'
import { rememberedOf } from '../../domain/document/askedQuestions.ts'
import { confirm } from '../../domain/order/confirm.ts'
import { unchanged } from '../../domain/order/decision.ts'
import { totals } from '../../domain/order/snapshot.ts'
import { currentParse, type OrderState } from '../../domain/order/state.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Database } from '../../store/connection/database.ts'
import { rememberLayout } from '../../store/files/documentLayouts.ts'
import type { Command } from '../../store/orders/command.ts'
import type { Actor } from '../../store/tenants/securityEvents.ts'
import { type Answer, answerCommand, type Decide } from './applyCommand.ts'
import type { OrderDeps } from './orderDeps.ts'
import { previewCommand } from './previewCommand.ts'
import { resolveDocument } from './resolveDocument.ts'

/** Who confirms: through which gate, and for the audit log of the buyer. */
export interface Confirming {
  readonly gate: Gate
  readonly actor: Actor
}

/** Confirms or rejects a parked order. A document's lines are checked against what is published before the order is locked. */
export async function confirmOrder(
  { log, db }: OrderDeps,
  orderId: string,
  command: Command,
  request: ConfirmOrder,
  { gate, actor }: Confirming,
): Promise<Answer<ConfirmReply>> {
  const { outcome, repeated } = await answerCommand<ConfirmReply | ToResolve>(log, orderId, command, firstRule(request, gate))
  if (!('to_resolve' in outcome)) return { outcome, repeated }
  const { lines, answers, resolutions } = await resolved(db, outcome, request)
  const reply = await answerCommand(log, orderId, command, (order, now) => confirm(order, request, { gate, now, lines }))
  if (request.remember === true) await remembered(db, outcome, { answers, resolutions }, actor)
  return reply
}

/** Returns what a confirm would reply now, with the lines that it would book; nothing is written and nothing remembered. */
export async function previewConfirm(
  { log, db }: OrderDeps,
  orderId: string,
  command: Command,
  request: ConfirmOrder,
  gate: Gate,
): Promise<ConfirmPreview> {
  const first = await previewCommand<ConfirmReply | ToResolve>({ log }, orderId, command, firstRule(request, gate))
  if (!('to_resolve' in first.outcome)) return previewOf(first.outcome, first.after)
  const { lines } = await resolved(db, first.outcome, request)
  const { outcome, after } = await previewCommand({ log }, orderId, command, (order, now) => confirm(order, request, { gate, now, lines }))
  return previewOf(outcome, after)
}

function previewOf(reply: ConfirmReply, after: OrderState): ConfirmPreview {
  return { ...reply, totals: totals(after), line_items: [...after.lines] }
}

/** Confirms at once what has no document to be read again; of another, says what is to be resolved. */
function firstRule(request: ConfirmOrder, gate: Gate): Decide<ConfirmReply | ToResolve> {
  return (order, now) => {
    const to_resolve = parseToBook(order, request)
    return to_resolve === undefined ? confirm(order, request, { gate, now }) : unchanged(() => ({ order, to_resolve }))
  }
}

/** Checks the lines of a document that are not left out. A document is read once, so what it says stays as it is. */
async function resolved(db: Database, { order, to_resolve }: ToResolve, request: ConfirmOrder) {
  const { lines: asked, resolutions, answers } = answered(to_resolve, request.resolutions)
  const left = new Set(resolutions.flatMap(({ line, omit }) => (omit === true ? [line] : [])))
  const kept = asked.filter(({ line }) => !left.has(line))
  return { lines: await resolveDocument(db, order, kept, resolutions), resolutions, answers }
}

/** Keeps what a buyer said of a document for the next one with the same headings. Beyond the day's acts nothing is kept: the order is confirmed. */
async function remembered(
  db: Pick<Database, 'pool' | 'sql'>,
  { order: { facts, request }, to_resolve }: ToResolve,
  { answers, resolutions }: Pick<Answered, 'answers' | 'resolutions'>,
  actor: Actor,
): Promise<void> {
  const { layout } = to_resolve
  const said = rememberedOf(to_resolve, answers, resolutions)
  if (layout === undefined || said.length === 0) return
  const key = { buyer: facts.buyer_entity, seller: request.seller, fingerprint: layout.fingerprint }
  await rememberLayout(db, key, said, actor).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
  })
}

/** A document whose lines must be resolved before its order can be confirmed. */
interface ToResolve {
  readonly order: OrderState
  readonly to_resolve: DocumentParse
}

function parseToBook(order: OrderState, { action }: ConfirmOrder): DocumentParse | undefined {
  return action === 'confirm' && order.status === 'needs_confirmation' ? currentParse(order) : undefined
}
