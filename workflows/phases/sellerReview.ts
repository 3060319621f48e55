import { type Phase, park } from './phase.ts'
import { pullGate } from './pullGate.ts'

/**
 * With the seller: its rules decide where it has any, once; else people do. When the time to decide is over, the next look shows the order
 * as overdue, and it goes on waiting.
 */
export const sellerReview: Phase = async (at) => {
  if (at.order.gate_due === 'rules') return at.steps.decideByRules()
  if (at.order.gate_due === 'pull') return pullGate(at)
  return park(at, at.order.decide_by)
}
