import { createHash } from 'node:crypto'
import type { PlanOrder } from '../../../src/contract/planOrder.ts'
import { planOrder as plan } from '../../../src/operations/orders/planOrder.ts'
import { recordApiUse } from '../../../src/store/tenants/sellers.ts'
import type { Handler } from '../../http/handler.ts'
import { answered } from '../../http/reply.ts'
import { orderCommand } from '../both/orderCommand.ts'

/** POST /me/orders/{id}/plan: 202. The same bytes get the first answer again (choices, Proposals and plans). */
export const planOrder: Handler<PlanOrder> = async (deps, call) => {
  const { caller, body, raw } = call
  const sha256 = createHash('sha256').update(raw).digest('hex')
  const { orderId, command } = orderCommand(call, `plan:${caller.entity}:${sha256}`)
  const answer = await plan({ log: deps.orders, db: deps.db }, orderId, command, body, sha256)
  await recordApiUse(deps.db, caller.entity)
  return answered(answer)
}
