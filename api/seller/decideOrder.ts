import type { DecideOrder } from '../../src/contract/decideOrder.ts'
import { decideOrder as decide } from '../../src/orders/decideOrder.ts'
import { rememberApiUse } from '../../src/store/tenants/sellers.ts'
import { accepted, type Handler } from '../handler.ts'
import { orderCommand } from '../orderCommand.ts'
import { repeatKey } from '../repeatKey.ts'

/** POST /me/orders/{id}/decide: 202. An exact repeat returns the stored outcome (choices, States). */
export const decideOrder: Handler<DecideOrder> = async (deps, call) => {
  const { caller, body } = call
  const { orderId, command } = await orderCommand(deps, call, repeatKey('decide', caller.entity, body))
  const reply = await decide({ log: deps.orders, db: deps.db }, orderId, command, { gate: caller.gate, ask: body })
  if (caller.gate === 'api') await rememberApiUse(deps.db, caller.entity)
  return accepted(reply)
}
