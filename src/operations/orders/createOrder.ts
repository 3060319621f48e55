import { hash } from 'node:crypto'
import type { CreateOrder, OrderCreated } from '../../contract/createOrder.ts'
import type { Fault } from '../../contract/errorEnvelope.ts'
import type { OrderPreview } from '../../contract/order.ts'
import { readableCreate } from '../../contract/readableCreate.ts'
import type { UnknownMember } from '../../contract/unknownMembers.ts'
import { type OnCredit, refuseBeyondCredit } from '../../domain/agreement/settlement.ts'
import { previewLine } from '../../domain/lines/lineResult.ts'
import { checkOrder } from '../../domain/order/checkOrder.ts'
import { type Creation, create } from '../../domain/order/create.ts'
import { stampEvents } from '../../domain/order/decision.ts'
import { mayBeRevised } from '../../domain/order/family.ts'
import { totals } from '../../domain/order/snapshot.ts'
import { bookingOf, initialState, type OrderState } from '../../domain/order/state.ts'
import { asRefusal, Refusal } from '../../domain/refusal.ts'
import type { Database } from '../../store/connection/database.ts'
import { newId } from '../../store/connection/newId.ts'
import type { Created, NewOrder } from '../../store/orders/createOrders.ts'
import { readIntake } from '../../store/orders/orderFacts.ts'
import type { OrderLog } from '../../store/orders/orderLog.ts'
import type { StoredReply } from '../../store/orders/storedReply.ts'
import { readCredit } from '../../store/tenants/credit.ts'

export interface CreateAnswer {
  reply: string
  replayed: boolean
}

/**
 * Takes an order: the stored reply for the same bytes, CONFLICT for other bytes under a used external_order_id, else the rules and one
 * commit (contract, Create rules: replay, asynchrony). A refused create stores nothing. Since most keys are new, the key is looked up only if the create is
 * refused or finds it taken. `unknown` are members that were sent and ignored: the stored reply warns of them.
 */
export async function createOrder(
  log: OrderLog,
  db: Database,
  buyerEntity: string,
  request: CreateOrder,
  raw: Buffer,
  unknown: readonly UnknownMember[] = [],
): Promise<CreateAnswer> {
  const requestSha256 = hash('sha256', raw, 'buffer')
  const created = await takeNew(log, db, buyerEntity, { request, requestSha256, unknown }).catch(asRefusal)
  if (typeof created === 'object' && 'reply' in created) return { ...created, replayed: false }
  const earlier = await log.replyOf(buyerEntity, request.external_order_id)
  if (earlier !== undefined) return replay(earlier, requestSha256, request)
  if (created instanceof Refusal) throw created
  throw new Error('the order that took the key is gone')
}

/** A create request: its body, the hash of its bytes, and the members that were ignored. */
interface CreateRequest {
  readonly request: CreateOrder
  readonly requestSha256: Buffer
  readonly unknown: readonly UnknownMember[]
}

/** Stores a new order and returns its reply, or says that another order has its key. Errors: Refusal. */
async function takeNew(
  log: OrderLog,
  db: Database,
  buyerEntity: string,
  { request, requestSha256, unknown }: CreateRequest,
): Promise<{ reply: string } | 'taken'> {
  const { facts, event: draft, warnings: found, credit } = await drafted(db, buyerEntity, request)
  const warnings = [...found, ...unknown]
  const { events, after } = stampEvents(initialState(request, facts), [draft], facts.created_at)
  const [event] = events
  if (event === undefined) throw new Error('a created order has its first event')
  const reply = JSON.stringify({
    order_id: facts.order_id,
    external_order_id: request.external_order_id,
    buyer_entity: buyerEntity,
    status: 'submitted',
    created_at: facts.created_at,
    ...(warnings.length > 0 ? { warnings } : {}),
  } satisfies OrderCreated)
  const outcome = await store(log, { order: after, event, commandId: newId('cmd_'), requestSha256, reply }, drawOf(credit, after))
  if (outcome === 'created') return { reply }
  if (outcome === 'taken') return 'taken'
  const now = await drafted(db, buyerEntity, request).catch(asRefusal)
  throw now instanceof Refusal ? now : new Refusal('UNAVAILABLE', 'What the order names changed while it was taken; try again.')
}

/** Stores an order together with concurrent ones, or alone under the locks of what it depends on: a family, a credit. */
function store(log: OrderLog, order: NewOrder, draw: OnCredit | undefined): Promise<Created> {
  const revises = order.order.request.revision?.supersedes
  if (revises === undefined && draw === undefined) return log.create(order)
  return log.createLocked(order, { revises, draws_on: draw?.agreement_id }, async (locked) => {
    // A revision of the same order was placed, or its family became full, after the facts were read.
    if (revises !== undefined && !mayBeRevised(revises, await locked.family())) return 'outdated'
    if (draw !== undefined) {
      // A concurrent duplicate may have drawn it meanwhile: this request is then a replay, not a second draw.
      if (await locked.isTaken()) return 'taken'
      const { exposure, family } = await locked.credit()
      refuseBeyondCredit(draw, { exposure, family, own: 0 })
    }
    return locked.create()
  })
}

/**
 * Returns what a create would give, with the allocation of each line as asked: CONFLICT for other bytes under a used external_order_id, as
 * a create does before any other refusal. Writes nothing (choices, Dry run).
 */
export async function previewOrder(
  log: OrderLog,
  db: Database,
  buyerEntity: string,
  request: CreateOrder,
  raw: Buffer,
): Promise<OrderPreview> {
  const earlier = await log.replyOf(buyerEntity, request.external_order_id)
  if (earlier !== undefined) replay(earlier, hash('sha256', raw, 'buffer'), request)
  const { facts, warnings, credit } = await drafted(db, buyerEntity, request)
  const order = initialState(request, facts)
  const draw = drawOf(credit, order)
  if (draw !== undefined) {
    const { exposure, family } = await readCredit(db.pool, draw.agreement_id, { supersedes: request.revision?.supersedes })
    refuseBeyondCredit(draw, { exposure, family, own: 0 })
  }
  const line_items = order.lines.map((line) => previewLine(line, bookingOf(order, line)))
  return { valid: true, ...(warnings.length > 0 ? { warnings } : {}), totals: totals(order), line_items }
}

/** Returns what the order draws on its agreement's credit. */
function drawOf(credit: Creation['credit'], order: OrderState): OnCredit | undefined {
  return credit && { ...credit, gross: totals(order).gross }
}

/** Returns the rules' faults in the readable part of a create body that its schema refused, so that one reply lists all faults. */
export async function furtherFaults(db: Database, buyerEntity: string, sent: unknown): Promise<Fault[]> {
  const request = readableCreate(sent)
  return checkOrder(request, await readIntake(db, request, buyerEntity), []).faults
}

async function drafted(db: Database, buyer_entity: string, request: CreateOrder): Promise<Creation> {
  const intake = await readIntake(db, request, buyer_entity)
  const unit_ids = (request.line_items ?? []).map(() => newId('unit_'))
  return create(request, intake, { order_id: newId('ord_'), unit_ids, buyer_entity, created_at: new Date().toISOString() })
}

function replay(stored: StoredReply, requestSha256: Buffer, { external_order_id }: CreateOrder): CreateAnswer {
  if (stored.request_sha256.equals(requestSha256)) return { reply: stored.reply, replayed: true }
  const message = `${external_order_id} was used for another order: resend the very bytes to replay it, or take a new id.`
  throw new Refusal('CONFLICT', message, { field: 'external_order_id', order_id: stored.order_id })
}
