import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OrderEvent } from '../../../src/contract/event.ts'
import { type Decision, decided, stampEvents } from '../../../src/domain/order/decision.ts'
import { initialState, type OrderState } from '../../../src/domain/order/state.ts'
import { applyCommand } from '../../../src/operations/orders/applyCommand.ts'
import type { Database } from '../../../src/store/connection/database.ts'
import { newId } from '../../../src/store/connection/newId.ts'
import type { Command } from '../../../src/store/orders/command.ts'
import type { NewOrder } from '../../../src/store/orders/createOrders.ts'
import type { OrderLog } from '../../../src/store/orders/orderLog.ts'
import { anOrder, type OrderChanges } from './anOrder.ts'

/** Returns the log's input for a create, with new ids and a new key; `buyer` is the tenant that it belongs to. */
export function aNewOrder({ buyer = 'buyer_one', ...more }: OrderChanges & { buyer?: string } = {}): NewOrder {
  const birth = {
    order_id: newId('ord_'),
    unit_ids: [newId('unit_'), newId('unit_')],
    buyer_entity: buyer,
    created_at: new Date().toISOString(),
  }
  const { request, facts } = anOrder({ external_order_id: `ext-${randomUUID()}`, ...more, birth })
  const { events, after } = stampEvents(initialState(request, facts), [{ status: 'submitted' }], facts.created_at)
  const { order_id, buyer_entity, created_at } = facts
  const reply = JSON.stringify({ order_id, external_order_id: request.external_order_id, buyer_entity, status: 'submitted', created_at })
  const requestSha256 = createHash('sha256').update(JSON.stringify(request)).digest()
  return { order: after, event: events[0] as OrderEvent, commandId: newId('cmd_'), requestSha256, reply }
}

/** Creates an order and returns its id. */
export async function stored(log: OrderLog, more: Parameters<typeof aNewOrder>[0] = {}): Promise<string> {
  const created = aNewOrder(more)
  await log.create(created)
  return created.order.facts.order_id
}

/** Creates an order that is negotiating, so that it can take any number of rounds, each of which is one more event. */
export async function negotiating(log: OrderLog, more: Parameters<typeof aNewOrder>[0] = {}): Promise<string> {
  const orderId = await stored(log, more)
  const begun = decided([{ status: 'validating' }, { status: 'seller_review' }, { status: 'negotiating' }], seqOf)
  await applyCommand(log, orderId, command(), () => begun)
  return orderId
}

/** Returns one more event, from negotiating to negotiating. */
export function round(): Decision<{ last_seq: number }> {
  return decided([{ status: 'negotiating', substatus: 'quote_lapsed' }], seqOf)
}

export const seqOf = ({ last_seq }: OrderState) => ({ last_seq })

export function command(more: Partial<Pick<Command, 'repeatKey' | 'wake' | 'lock'>> & { id?: string } = {}) {
  return { id: newId('cmd_'), wake: false, ...more }
}

/** Appends a round in a transaction that stays open before its commit: for some milliseconds, or until something has happened. */
export async function slowRound(log: OrderLog, orderId: string, pause: number | Promise<unknown>): Promise<void> {
  await log.exclusively(orderId, async ({ order, append }) => {
    const sealed = stampEvents(order, round().events, new Date().toISOString())
    await append({ ...sealed, command: command(), outcome: '{}' })
    await (typeof pause === 'number' ? sleep(pause) : pause)
  })
}

/** Returns the row count of each table of the log, so that writes show as a difference. */
export async function rowCounts({ pool }: Pick<Database, 'pool'>): Promise<Record<string, number>> {
  const counts = ['orders', 'order_records', 'order_events', 'order_outcomes', 'feed', 'outbox'].map(
    (table) => `(select count(*)::int from ${table}) as ${table}`,
  )
  const { rows } = await pool.query<Record<string, number>>(`select ${counts.join(', ')}`)
  return rows[0] ?? {}
}

/** Returns the events of an order as the log stores them. */
export async function storedEvents({ pool }: Pick<Database, 'pool'>, orderId: string): Promise<OrderEvent[]> {
  const { rows } = await pool.query<{ body: string }>('select body from order_events where order_id = $1 order by seq', [orderId])
  return rows.map(({ body }) => JSON.parse(body))
}
