import type { OrderHead } from '../../src/domain/order/head.ts'
import type { Steps } from '../steps.ts'
import type { WakeSignal } from '../wakeSignal.ts'

/** Does what is due for an order in its statuses, or waits. Returns the resulting head. */
export type Phase = (at: { order: OrderHead; woken: WakeSignal; steps: Steps }) => Promise<OrderHead>

/** Waits until the order is woken or `deadline` (ISO UTC) has come, then looks. A past deadline does not wake it. `what` names it in the history. */
export async function park({ woken, steps }: Parameters<Phase>[0], deadline: string | null, what: string): Promise<OrderHead> {
  await woken.wait(deadline === null ? null : Date.parse(deadline), what)
  return steps.look()
}
