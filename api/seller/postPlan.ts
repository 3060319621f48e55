import { createHash } from 'node:crypto'
import type { PostPlan } from '../../src/contract/postPlan.ts'
import { postPlan as postPlanOf } from '../../src/orders/postPlan.ts'
import { newId } from '../../src/store/connection/newId.ts'
import { rememberApiUse } from '../../src/store/tenants/sellers.ts'
import { accepted, type Handler } from '../handler.ts'
import { ownOrder } from '../ownOrder.ts'
import { seenState } from '../seenState.ts'

/** POST /me/orders/{id}/plan: 202. The same bytes again are answered as they were the first time (choices, Proposals and plans). */
export const postPlan: Handler<PostPlan> = async (deps, { caller, params, body, raw, headers }) => {
  const orderId = await ownOrder(deps, caller, params)
  const sha256 = createHash('sha256').update(raw).digest('hex')
  const command = { id: newId('cmd_'), repeatKey: `plan:${caller.entity}:${sha256}`, wake: true, ...seenState({ headers }, body) }
  const reply = await postPlanOf(deps.orders, deps.db, orderId, command, body, sha256)
  await rememberApiUse(deps.db, caller.entity)
  return accepted(reply)
}
