import { type Phase, park } from './phase.ts'

/** Does the last work for an order. */
export const closing: Phase = async (at) => {
  const order = await at.steps.settle()
  return order.settled ? order : park({ ...at, order }, order.due_at)
}
