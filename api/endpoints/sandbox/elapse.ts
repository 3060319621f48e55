import type { Elapse, ElapsedReply } from '../../../src/contract/sandbox.ts'
import { elapseOrder } from '../../../src/operations/orders/elapseOrder.ts'
import { newId } from '../../../src/store/connection/newId.ts'
import type { Handler } from '../../http/handler.ts'
import { ok } from '../../http/reply.ts'

/** POST /sandbox/orders/{order_id}/elapse. */
export const postElapse: Handler<Elapse> = async ({ orders: log, db }, { caller, params, body }) => {
  const { entity, side } = caller
  const command = { id: newId('cmd_'), by: { entity, side } }
  const { head, elapsed } = await elapseOrder({ log, db }, params.order_id ?? '', command, { what: body.what, by_s: body.by })
  const { order_id, status, substatus, last_seq } = head
  return ok({ order_id, status, substatus, last_seq, ...elapsed } satisfies ElapsedReply)
}
