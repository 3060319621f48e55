/** The vocabularies and limits of makegoods. Has only constants and types, so the pure rules can import it without zod. */

/**
 * `noticed`: the seller says that spots do not air, and offers nothing yet. `offered`: the buyer's answer is awaited. `expired`: it did not
 * come in time. `recalled`: the seller, or the end of the order, took it back before an answer. `credited`: its units are credited.
 */
export const MAKEGOOD_STATUSES = ['noticed', 'offered', 'accepted', 'declined', 'expired', 'recalled', 'credited'] as const
export type MakegoodStatus = (typeof MAKEGOOD_STATUSES)[number]

/** The known reasons why spots do not air. Sellers may send others. */
export const MAKEGOOD_REASONS = ['preempted', 'technical', 'program_change', 'audience_underdelivery', 'sold_over', 'other'] as const

/** What was done to a makegood. The platform alone expires one; the parties do the rest. */
export const MAKEGOOD_ACTIONS = ['notice', 'offer', 'recall', 'accept', 'decline', 'credit', 'expire'] as const
export type MakegoodAction = (typeof MAKEGOOD_ACTIONS)[number]

/** Who acted: a party, or the platform for a deadline, the end of an order or the guidelines of an agreement. */
export const MAKEGOOD_SIDES = ['buyer', 'seller', 'platform'] as const
export type MakegoodSide = (typeof MAKEGOOD_SIDES)[number]

/** The actors of the platform. */
export const GUIDELINES = 'makegood_guidelines'
export const DEADLINE = 'deadline'
export const ORDER_END = 'order_end'

/** The broadcast month in which a makegood is billed: that of the spot that was booked, or that of its airing. */
export const MAKEGOOD_BILLINGS = ['booked', 'aired'] as const
export type MakegoodBilling = (typeof MAKEGOOD_BILLINGS)[number]

/** How far from what it replaces an offer may air to be accepted by guidelines. */
export const MAKEGOOD_SPANS = ['week', 'flight'] as const

/** The most makegoods of an order, in any status. */
export const MAKEGOODS_PER_ORDER = 500
/** The most makegoods that a seller notices in a day, in UTC. */
export const MAKEGOODS_PER_DAY = 20_000
/** The most entries of a notice, and of what an offer replaces. */
export const MAKEGOOD_ENTRIES = 100
/** The most alternatives that a makegood offers. */
export const MAKEGOOD_OFFERS = 20
/** The most actions on a makegood: offers may be replaced, so that they need a bound. */
export const ACTIONS_PER_MAKEGOOD = 50
