import { hash } from 'node:crypto'
import type { CreateOrder, OrderCreated } from '../contract/createOrder.ts'
import type { Fault } from '../contract/errorEnvelope.ts'
import type { OrderPreview } from '../contract/order.ts'
import { readableCreate } from '../contract/readableCreate.ts'
import type { UnknownMember } from '../contract/unknownMembers.ts'
import { type OnCredit, refuseBeyondCredit } from '../domain/agreement/settlement.ts'
import { previewLine } from '../domain/lines/lineResult.ts'
import { checkOrder } from '../domain/order/checkOrder.ts'
import { seal } from '../domain/order/decision.ts'
import { totals } from '../domain/order/snapshot.ts'
import { bookingOf, initialState, type OrderState } from '../domain/order/state.ts'
import { type Submitted, submit } from '../domain/order/submit.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Database } from '../store/connection/database.ts'
import { newId } from '../store/connection/newId.ts'
import { readIntake } from '../store/orders/orderFacts.ts'
import type { OrderLog } from '../store/orders/orderLog.ts'
import type { StoredReply } from '../store/orders/storedReply.ts'
import { readCredit } from '../store/tenants/credit.ts'

export interface SubmitAnswer {
  reply: string
  replayed: boolean
}

/**
 * Takes an order: the stored reply for the same bytes, CONFLICT for other bytes under a used external_order_id, else the rules and one
 * commit (spec, Create rules 4 and 6). A refused create stores nothing. Since most keys are new, the key is looked up only if the create is
 * refused or finds it taken. `unknown` are members that were sent and ignored: the stored reply warns of them.
 */
export async function submitOrder(
  log: OrderLog,
  db: Database,
  buyerEntity: string,
  ask: CreateOrder,
  raw: Buffer,
  unknown: readonly UnknownMember[] = [],
): Promise<SubmitAnswer> {
  const requestSha256 = hash('sha256', raw, 'buffer')
  const earlier = () => log.replyOf(buyerEntity, ask.external_order_id)
  try {
    const reply = await takeNew(log, db, buyerEntity, ask, requestSha256, unknown)
    if (reply !== undefined) return { reply, replayed: false }
  } catch (refusal) {
    const stored = refusal instanceof Refusal ? await earlier() : undefined
    if (stored === undefined) throw refusal
    return replay(stored, requestSha256, ask)
  }
  const stored = await earlier()
  if (stored === undefined) throw new Error('the order that took the key is gone')
  return replay(stored, requestSha256, ask)
}

/** Stores a new order and returns its reply; undefined if another order has its key. */
async function takeNew(
  log: OrderLog,
  db: Database,
  buyerEntity: string,
  ask: CreateOrder,
  requestSha256: Buffer,
  unknown: readonly UnknownMember[],
): Promise<string | undefined> {
  const { facts, event: draft, warnings: found, credit } = await drafted(db, buyerEntity, ask)
  const warnings = [...found, ...unknown]
  const { events, after } = seal(initialState(ask, facts), [draft], facts.created_at)
  const [event] = events
  if (event === undefined) throw new Error('a submitted order has its first event')
  const reply = JSON.stringify({
    order_id: facts.order_id,
    external_order_id: ask.external_order_id,
    buyer_entity: buyerEntity,
    status: 'submitted',
    created_at: facts.created_at,
    ...(warnings.length > 0 ? { warnings } : {}),
  } satisfies OrderCreated)
  const outcome = await log.create({ order: after, event, commandId: newId('cmd_'), requestSha256, reply, ...drawn(credit, after) })
  if (outcome === 'created') return reply
  if (outcome === 'taken') return undefined
  await drafted(db, buyerEntity, ask) // refuses, since it now sees the change
  throw new Refusal('UNAVAILABLE', 'What the order names changed while it was taken; try again.')
}

/**
 * Returns what a create would give, with the allocation of each line as asked: CONFLICT for other bytes under a used external_order_id, as
 * a create does before any other refusal. Writes nothing (choices, Dry run).
 */
export async function previewOrder(log: OrderLog, db: Database, buyerEntity: string, ask: CreateOrder, raw: Buffer): Promise<OrderPreview> {
  const earlier = await log.replyOf(buyerEntity, ask.external_order_id)
  if (earlier !== undefined) replay(earlier, hash('sha256', raw, 'buffer'), ask)
  const { facts, warnings, credit } = await drafted(db, buyerEntity, ask)
  const order = initialState(ask, facts)
  const draw = drawn(credit, order).credit
  if (draw !== undefined) {
    const { exposure, family } = await readCredit(db.pool, draw.agreement_id, { supersedes: ask.revision?.supersedes })
    refuseBeyondCredit(draw, { exposure, family, own: 0 })
  }
  const line_items = order.lines.map((line) => previewLine(line, bookingOf(order, line)))
  return { valid: true, ...(warnings.length > 0 ? { warnings } : {}), totals: totals(order), line_items }
}

/** Returns what the order draws on its agreement's credit. */
function drawn(credit: Submitted['credit'], order: OrderState): { credit?: OnCredit } {
  return credit === undefined ? {} : { credit: { ...credit, gross: totals(order).gross } }
}

/** Returns the rules' faults in the readable part of a create body that its schema refused, so that one reply lists all faults. */
export async function furtherFaults(db: Database, buyerEntity: string, sent: unknown): Promise<Fault[]> {
  const ask = readableCreate(sent)
  return checkOrder(ask, await readIntake(db, ask, buyerEntity), []).faults
}

async function drafted(db: Database, buyer_entity: string, ask: CreateOrder): Promise<Submitted> {
  const intake = await readIntake(db, ask, buyer_entity)
  const unit_ids = (ask.line_items ?? []).map(() => newId('unit_'))
  return submit(ask, intake, { order_id: newId('ord_'), unit_ids, buyer_entity, created_at: new Date().toISOString() })
}

function replay(stored: StoredReply, requestSha256: Buffer, { external_order_id }: CreateOrder): SubmitAnswer {
  if (stored.request_sha256.equals(requestSha256)) return { reply: stored.reply, replayed: true }
  const message = `${external_order_id} was used for another order: resend the very bytes to replay it, or take a new id.`
  throw new Refusal('CONFLICT', message, { field: 'external_order_id', order_id: stored.order_id })
}
