import type { DecideOrder } from '../../../src/contract/decideOrder.ts'
import type { DryRunQuery } from '../../../src/contract/dryRun.ts'
import { decideOrder as decide } from '../../../src/operations/orders/decideOrder.ts'
import { previewDecision } from '../../../src/operations/orders/previewDecision.ts'
import { recordApiUse } from '../../../src/store/tenants/sellers.ts'
import type { Handler } from '../../http/handler.ts'
import { repeatKey } from '../../http/repeatKey.ts'
import { answered, ok } from '../../http/reply.ts'
import { orderCommand } from '../both/orderCommand.ts'

/** POST /me/orders/{id}/decide: 202; a dry run is 200. An exact repeat returns the stored outcome (choices, States). */
export const decideOrder: Handler<DecideOrder, DryRunQuery> = async (deps, call) => {
  const { caller, body, query } = call
  const { orderId, command } = orderCommand(call, repeatKey('decide', caller.entity, body))
  const decision = { gate: caller.gate, request: body }
  const orders = { log: deps.orders, db: deps.db }
  if (query.dry_run === 'true') return ok(await previewDecision(orders, orderId, command, decision))
  const answer = await decide(orders, orderId, command, decision)
  if (caller.gate === 'api') await recordApiUse(deps.db, caller.entity)
  return answered(answer)
}
