import { type Phase, park } from './phase.ts'
import { pullGate } from './pullGate.ts'

/**
 * Waits for the seller: its rules decide once, if it has any; otherwise people decide. After the deadline the order is shown as overdue and
 * keeps waiting.
 */
export const sellerReview: Phase = async (at) => {
  if (at.order.gate_due === 'rules') return at.steps.decideByRules()
  if (at.order.gate_due === 'pull') return pullGate(at)
  return park(at, at.order.decide_by, 'decision due')
}
