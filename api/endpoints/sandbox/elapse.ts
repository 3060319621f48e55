import type { Elapse, ElapsedReply } from '../../../src/contract/sandbox.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { elapseOrder } from '../../../src/operations/orders/elapseOrder.ts'
import { newId } from '../../../src/store/connection/newId.ts'
import { saveElapsedHold } from '../../../src/store/orders/elapsed.ts'
import type { Handler } from '../../http/handler.ts'
import { ok } from '../../http/reply.ts'
import { ownHold } from '../buyer/holds.ts'

/** POST /sandbox/orders/{order_id}/elapse. */
export const postElapse: Handler<Elapse> = async ({ orders: log, db }, { caller, params, body }) => {
  const { entity, side } = caller
  const command = { id: newId('cmd_'), by: { entity, side } }
  const { head, elapsed } = await elapseOrder({ log, db }, params.order_id ?? '', command, { what: body.what, by_s: body.by })
  const { order_id, status, substatus, last_seq } = head
  return ok({ order_id, status, substatus, last_seq, ...elapsed } satisfies ElapsedReply)
}

/** POST /sandbox/holds/{hold_id}/elapse. */
export const postElapseHold: Handler = async (deps, call) => {
  const { hold_id, status, order_id } = await ownHold(deps, call)
  if (await saveElapsedHold(deps.db, call.caller.entity, hold_id)) return ok(await ownHold(deps, call))
  throw new Refusal('INVALID_STATE', `The hold is ${status} and has no time that can elapse.`, { status, order_id, possible: [] })
}
