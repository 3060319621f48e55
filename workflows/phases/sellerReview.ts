import { type Phase, park } from './phase.ts'

/** Parked with the seller. When the time to decide is over, the next look shows the order as overdue, and it goes on waiting. */
export const sellerReview: Phase = (at) => park(at, at.order.decide_by)
