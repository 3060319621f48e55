import type { AnswerVariance, SettleVariance } from '../src/contract/reconciliation.ts'
import { actOnVariance } from '../src/settlement/actOnVariance.ts'
import { type Handler, ok } from './handler.ts'
import { ownOrder } from './ownOrder.ts'

/** POST .../reconciliation/variances/{variance_id}, of both sides: the contract says which actions each of them has. */
export const postVariance: Handler<AnswerVariance | SettleVariance> = async (deps, { caller, params, body }) => {
  const { entity, side } = caller
  const order_id = await ownOrder(deps, caller, params)
  const { actor = entity, ...asked } = body
  return ok(await actOnVariance(deps.orders, { ...asked, actor, side, order_id, variance_id: params.variance_id ?? '' }))
}
