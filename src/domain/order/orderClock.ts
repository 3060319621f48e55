import type { Instant } from '../calendar.ts'
import type { OrderState } from './state.ts'

/**
 * Returns the time by which an order's deadlines are measured. It is the time itself, but where a sandbox has let the order's clock go on (choices,
 * Sandbox: elapse). Stamps never come from here.
 */
export function orderClock({ elapsed_s = 0 }: Pick<OrderState, 'elapsed_s'>, now: Instant): Instant {
  return elapsed_s === 0 ? now : new Date(Date.parse(now) + elapsed_s * 1_000).toISOString()
}
