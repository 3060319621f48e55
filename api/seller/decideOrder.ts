import { createHash } from 'node:crypto'
import type { DecideOrder } from '../../src/contract/decideOrder.ts'
import { decide } from '../../src/domain/order/decide.ts'
import { applyCommand } from '../../src/orders/applyCommand.ts'
import { newId } from '../../src/store/newId.ts'
import { rememberApiUse } from '../../src/store/sellers.ts'
import { accepted, type Handler } from '../endpoint.ts'
import { ownOrder } from '../ownOrder.ts'

/** POST /me/orders/{id}/decide: 202. An exact repeat (same caller, same canonical body) answers the stored outcome (choices, States). */
export const decideOrder: Handler<DecideOrder> = async (deps, { caller, params, body }) => {
  const orderId = await ownOrder(deps, caller, params)
  const command = { id: newId('cmd_'), repeatKey: repeatKey('decide', caller.entity, body), wake: true }
  const context = { gate: caller.gate, newSellerOrderId: newId('so_') }
  const reply = await applyCommand(deps.orders, orderId, command, (order) => decide(order, body, context))
  await rememberApiUse(deps.db, caller.entity)
  return accepted(reply)
}

/** The schema has put the members in its own order and dropped what it does not know: equal asks are equal texts. */
function repeatKey(verb: string, entity: string, body: unknown): string {
  return `${verb}:${createHash('sha256')
    .update(JSON.stringify([entity, body]))
    .digest('base64url')}`
}
