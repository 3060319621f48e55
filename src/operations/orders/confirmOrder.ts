import type { ConfirmOrder, ConfirmReply } from '../../contract/confirmOrder.ts'
import type { DocumentParse } from '../../contract/documentParse.ts'
import type { Gate } from '../../contract/vocabulary.ts'
import { type Answered, answered } from '../../domain/document/answers.ts'
import { rememberedOf } from '../../domain/document/askedQuestions.ts'
import { confirm } from '../../domain/order/confirm.ts'
import { unchanged } from '../../domain/order/decision.ts'
import { currentParse, type OrderState } from '../../domain/order/state.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Database } from '../../store/connection/database.ts'
import { rememberLayout } from '../../store/files/documentLayouts.ts'
import type { Command } from '../../store/orders/command.ts'
import type { Actor } from '../../store/tenants/securityEvents.ts'
import { type Answer, answerCommand } from './applyCommand.ts'
import type { OrderDeps } from './orderDeps.ts'
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
  ask: ConfirmOrder,
  { gate, actor }: Confirming,
): Promise<Answer<ConfirmReply>> {
  const { outcome, repeated } = await answerCommand<ConfirmReply | ToResolve>(log, orderId, command, (order, now) => {
    const to_resolve = parseToBook(order, ask)
    return to_resolve === undefined ? confirm(order, ask, { gate, now }) : unchanged(() => ({ order, to_resolve }))
  })
  if (!('to_resolve' in outcome)) return { outcome, repeated }
  // A document is read once, so what it says stays as it is.
  const { lines: asked, resolutions, answers } = answered(outcome.to_resolve, ask.resolutions)
  const left = new Set(resolutions.flatMap(({ line, omit }) => (omit === true ? [line] : [])))
  const lines = await resolveDocument(
    db,
    outcome.order,
    asked.filter(({ line }) => !left.has(line)),
    resolutions,
  )
  const reply = await answerCommand(log, orderId, command, (order, now) => confirm(order, ask, { gate, now, lines }))
  if (ask.remember === true) await remembered(db, outcome, { answers, resolutions }, actor)
  return reply
}

/** Keeps what a buyer said of a document for the next one with the same headings. Beyond the day's acts nothing is kept: the order is confirmed. */
async function remembered(
  db: Pick<Database, 'sql'>,
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
