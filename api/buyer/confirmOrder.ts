import type { ConfirmOrder } from '../../src/contract/confirmOrder.ts'
import { confirmOrder as confirm } from '../../src/orders/confirmOrder.ts'
import { newId } from '../../src/store/connection/newId.ts'
import { accepted, type Handler } from '../handler.ts'
import { ownOrder } from '../ownOrder.ts'
import { repeatKey } from '../repeatKey.ts'
import { seenState } from '../seenState.ts'

/** POST /orders/{id}/confirm: 202. An exact repeat (same caller, same canonical body) answers the stored outcome (choices, States). */
export const confirmOrder: Handler<ConfirmOrder> = async (deps, { caller, params, body, headers }) => {
  const orderId = await ownOrder(deps, caller, params)
  const command = { id: newId('cmd_'), repeatKey: repeatKey('confirm', caller.entity, body), wake: true, ...seenState({ headers }, body) }
  return accepted(await confirm({ log: deps.orders, db: deps.db }, orderId, command, body, caller.gate))
}
