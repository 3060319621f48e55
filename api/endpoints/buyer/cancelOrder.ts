import type { CancelOrder } from '../../../src/contract/cancelOrder.ts'
import type { DryRunQuery } from '../../../src/contract/dryRun.ts'
import { cancelOrder as cancel, previewCancel } from '../../../src/operations/orders/cancelOrder.ts'
import { refuseAsOf } from '../../http/asOf.ts'
import type { Handler } from '../../http/handler.ts'
import { answered, ok } from '../../http/reply.ts'
import { orderCommand } from '../both/orderCommand.ts'

/** POST /orders/{id}/cancel: idempotent; a dry run is 200. `as_of` is a hook of the sandbox (choices, as_of). */
export const cancelOrder: Handler<CancelOrder, DryRunQuery> = async (deps, call) => {
  refuseAsOf(deps, call.body)
  const { orderId, command } = orderCommand(call)
  const orders = { log: deps.orders }
  if (call.query.dry_run === 'true') return ok(await previewCancel(orders, orderId, command, call.body))
  return answered(await cancel(orders, orderId, command, call.body))
}
