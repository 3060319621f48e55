import { createHash } from 'node:crypto'
import type { CreateOrder, OrderCreated } from '../contract/createOrder.ts'
import { seal } from '../domain/order/decision.ts'
import { unborn } from '../domain/order/state.ts'
import { submit } from '../domain/order/submit.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Database } from '../store/database.ts'
import { newId } from '../store/newId.ts'
import { readIntake } from '../store/orderFacts.ts'
import type { OrderLog, StoredReply } from '../store/orderLog.ts'

export interface SubmitAnswer {
  reply: string
  replayed: boolean
}

/**
 * Takes an order: the stored reply for the same bytes, CONFLICT for other bytes under a used external_order_id, else the rules and one
 * commit (spec, Create rules 4 and 6). A refused create stores nothing.
 */
export async function submitOrder(log: OrderLog, db: Database, buyerEntity: string, ask: CreateOrder, raw: Buffer): Promise<SubmitAnswer> {
  const requestSha256 = createHash('sha256').update(raw).digest()
  const earlier = await log.replyOf(buyerEntity, ask.external_order_id)
  if (earlier !== undefined) return replay(earlier, requestSha256, ask)
  const intake = await readIntake(db, ask, buyerEntity)
  const created_at = new Date().toISOString()
  const birth = {
    order_id: newId('ord_'),
    unit_ids: (ask.line_items ?? []).map(() => newId('unit_')),
    buyer_entity: buyerEntity,
    created_at,
  }
  const { facts, event: draft, warnings } = submit(ask, intake, birth)
  const { events, after } = seal(unborn(ask, facts), [draft], created_at)
  const [event] = events
  if (event === undefined) throw new Error('a submitted order has its first event')
  const reply = JSON.stringify({
    order_id: facts.order_id,
    external_order_id: ask.external_order_id,
    buyer_entity: buyerEntity,
    status: 'submitted',
    created_at,
    ...(warnings.length > 0 ? { warnings } : {}),
  } satisfies OrderCreated)
  const outcome = await log.create({ order: after, event, commandId: newId('cmd_'), requestSha256, reply })
  if (outcome === 'created') return { reply, replayed: false }
  const twin = await log.replyOf(buyerEntity, ask.external_order_id)
  if (twin === undefined) throw new Error('the order that took the key is gone')
  return replay(twin, requestSha256, ask)
}

function replay(stored: StoredReply, requestSha256: Buffer, { external_order_id }: CreateOrder): SubmitAnswer {
  if (stored.request_sha256.equals(requestSha256)) return { reply: stored.reply, replayed: true }
  const message = `${external_order_id} was used for another order: resend the very bytes to replay it, or take a new id.`
  throw new Refusal('CONFLICT', message, { field: 'external_order_id', order_id: stored.order_id })
}
