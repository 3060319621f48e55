import type { DecideOrder } from '../../src/contract/decideOrder.ts'
import { decideOrder as decide } from '../../src/orders/decideOrder.ts'
import { newId } from '../../src/store/connection/newId.ts'
import { rememberApiUse } from '../../src/store/tenants/sellers.ts'
import { accepted, type Handler } from '../handler.ts'
import { ownOrder } from '../ownOrder.ts'
import { repeatKey } from '../repeatKey.ts'
import { seenState } from '../seenState.ts'

/** POST /me/orders/{id}/decide: 202. An exact repeat answers the stored outcome (choices, States). */
export const decideOrder: Handler<DecideOrder> = async ({ orders, db }, { caller, params, body, headers }) => {
  const orderId = await ownOrder({ db }, caller, params)
  const command = { id: newId('cmd_'), repeatKey: repeatKey('decide', caller.entity, body), wake: true, ...seenState({ headers }, body) }
  const reply = await decide(orders, db, orderId, command, { gate: caller.gate, ask: body })
  if (caller.gate === 'api') await rememberApiUse(db, caller.entity)
  return accepted(reply)
}
