import type { ConfirmOrder } from '../../../src/contract/confirmOrder.ts'
import type { DryRunQuery } from '../../../src/contract/dryRun.ts'
import { confirmOrder as confirm, previewConfirm } from '../../../src/operations/orders/confirmOrder.ts'
import { actorOf } from '../../http/call.ts'
import type { Handler } from '../../http/handler.ts'
import { repeatKey } from '../../http/repeatKey.ts'
import { answered, ok } from '../../http/reply.ts'
import { orderCommand } from '../both/orderCommand.ts'

/** POST /orders/{id}/confirm: 202; a dry run is 200. An exact repeat (same caller, same canonical body) returns the stored outcome (choices, States). */
export const confirmOrder: Handler<ConfirmOrder, DryRunQuery> = async (deps, call) => {
  const { caller, body, query } = call
  const { orderId, command } = orderCommand(call, repeatKey('confirm', caller.entity, body))
  const orders = { log: deps.orders, db: deps.db }
  if (query.dry_run === 'true') return ok(await previewConfirm(orders, orderId, command, body, caller.gate))
  return answered(await confirm(orders, orderId, command, body, { gate: caller.gate, actor: actorOf(caller) }))
}
