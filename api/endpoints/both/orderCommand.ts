import { newId } from '../../../src/store/connection/newId.ts'
import type { Command } from '../../../src/store/orders/command.ts'
import type { Call } from '../../http/call.ts'
import { seenState } from '../../http/seenState.ts'

/** Returns the order that a request names and its command. Loading the order checks whether it is the caller's. */
export function orderCommand(
  { caller, params, headers, body }: Call<{ last_seq?: number | undefined }>,
  repeatKey?: string,
): { orderId: string; command: Command } {
  const { entity, side } = caller
  const repeats = repeatKey === undefined ? {} : { repeatKey }
  const command = { id: newId('cmd_'), by: { entity, side }, wake: true, ...repeats, ...seenState({ headers }, body) }
  return { orderId: params.order_id ?? '', command }
}
