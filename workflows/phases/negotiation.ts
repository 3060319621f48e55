import { type Phase, park } from './phase.ts'

/**
 * Waits while a counter is open, until its quote lapses. The timer only decides when to check. The log decides whether a quote has lapsed
 * by its own clock, which may be slightly behind.
 */
export const negotiation: Phase = async (at) => {
  const { due_at, last_seq } = at.order
  if (due_at === null || Date.parse(due_at) > Date.now()) return park(at, due_at, 'quote lapses')
  const order = await at.steps.lapse()
  return order.last_seq === last_seq ? park({ ...at, order }, new Date(Date.now() + A_MOMENT_MS).toISOString(), 'quote lapses') : order
}

const A_MOMENT_MS = 1_000
