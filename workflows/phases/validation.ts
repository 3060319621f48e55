import { type Phase, park } from './phase.ts'

/** Checked against the seller's catalog of this moment. An order that validation leaves where it is waits for something else. */
export const validation: Phase = async (at) => {
  const order = await at.steps.validate()
  if (order.last_seq !== at.order.last_seq) return order
  return park({ ...at, order }, order.due_at)
}
