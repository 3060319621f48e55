/** The closed vocabularies of what sandboxes alone serve. Has only constants and types. */

/** The deadlines of an order that a sandbox can let pass. */
export const DEADLINES = ['quote', 'plan', 'decision', 'notice_window'] as const
export type Deadline = (typeof DEADLINES)[number]

export const ORDER_TEMPLATES = ['catalog', 'proposal', 'document'] as const

/** What the buyer of a sandbox does with an order that a seller asked it for. */
export const BUYER_ANSWERS = ['accepts', 'withdraws', 'silent', 'cancels', 'revises'] as const
export type BuyerAnswer = (typeof BUYER_ANSWERS)[number]

/** What has become of an order that a seller asked for. */
export const DEMAND_STATUSES = ['requested', 'submitted', 'refused'] as const

/** How far the time of an order goes on in one call, and in all: ten years and fifty, in seconds. */
export const ELAPSE_S = 315_360_000
export const ELAPSED_S = 5 * ELAPSE_S

/** The faults that the header Sandbox-Simulate asks for, besides `slow` with its seconds. */
export const SIMULATED = ['503', '429', 'cut'] as const
/** The longest answer that can be asked for, in seconds. */
export const SLOWEST_S = 30
