import { type Phase, park } from './phase.ts'

/**
 * Waits for the buyer until the log changes. After the plan expires the order keeps waiting, since the log checks the expiry when the buyer
 * confirms.
 */
export const confirmation: Phase = (at) => park(at, at.order.due_at, 'plan expires')
