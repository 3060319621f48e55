import { type Phase, park } from './phase.ts'

/** Does the last work for an order that has ended: the step that its history calls `close`. */
export const closing: Phase = async (at) => {
  const order = await at.steps.close()
  return order.closed ? order : park({ ...at, order }, order.due_at, 'closes again')
}
