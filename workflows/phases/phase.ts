import type { OrderHead } from '../../src/domain/order/head.ts'
import type { Bell } from '../bell.ts'
import type { Steps } from '../steps.ts'

/** Does what is due for an order of its statuses, or waits; answers where the order then stands. */
export type Phase = (at: { order: OrderHead; bell: Bell; steps: Steps }) => Promise<OrderHead>

/** Waits until the order is woken or `deadline` (ISO UTC) has come, then looks. A deadline that has passed wakes nobody. */
export async function park({ bell, steps }: Parameters<Phase>[0], deadline: string | null): Promise<OrderHead> {
  await bell.wait(deadline === null ? null : Date.parse(deadline))
  return steps.look()
}
