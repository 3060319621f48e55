import { newId } from '../src/store/connection/newId.ts'
import type { Command } from '../src/store/orders/orderLog.ts'
import type { Call, Deps } from './handler.ts'
import { ownOrder } from './ownOrder.ts'
import { seenState } from './seenState.ts'

/** The order that a request names and the command that it sends. NOT_FOUND unless the order is the caller's. */
export async function orderCommand(
  deps: Pick<Deps, 'db'>,
  { caller, params, headers, body }: Call<{ last_seq?: number | undefined }>,
  repeatKey?: string,
): Promise<{ orderId: string; command: Command }> {
  const orderId = await ownOrder(deps, caller, params)
  const repeats = repeatKey === undefined ? {} : { repeatKey }
  return { orderId, command: { id: newId('cmd_'), wake: true, ...repeats, ...seenState({ headers }, body) } }
}
