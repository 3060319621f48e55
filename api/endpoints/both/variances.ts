import type { AnswerVariance, SettleVariance } from '../../../src/contract/reconciliation.ts'
import { actOnVariance } from '../../../src/operations/settlement/actOnVariance.ts'
import type { Handler } from '../../http/handler.ts'
import { REPLAYED } from '../../http/reply.ts'
import { bodyHash, requestKey } from '../../http/requestKey.ts'
import { ownOrder } from './ownOrder.ts'

/**
 * POST .../reconciliation/variances/{variance_id}, for both sides: the contract states the actions of each. A reused Idempotency-Key of an
 * action on the variance gets the variance in its present state.
 */
export const postVariance: Handler<AnswerVariance | SettleVariance> = async (deps, call) => {
  const { caller, params, body, raw } = call
  const { entity, side } = caller
  const order_id = await ownOrder(deps, caller, params)
  const { actor = entity, ...asked } = body
  const sent = { key: requestKey(call)?.key, body_hash: bodyHash(raw).toString('hex') }
  const { variance, isReplay } = await actOnVariance(deps.orders, {
    ...{ ...asked, actor, side, order_id, sent },
    variance_id: params.variance_id ?? '',
  })
  return { status: 200, body: variance, ...(isReplay ? { headers: REPLAYED } : {}) }
}
