import { type Phase, park } from './phase.ts'

/** The last of an order's business. */
export const closing: Phase = async (at) => {
  const order = await at.steps.settle()
  return order.settled ? order : park({ ...at, order }, order.due_at)
}
