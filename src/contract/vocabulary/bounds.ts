import { decimalPlaces } from './minorUnits.ts'

/** The largest figures that the platform accepts or produces. */

/** The most entries of a publish. It bounds the reply too, which lists every refused entry. */
export const ENTRIES_PER_PUBLISH = 100_000

/** The most that an order, or all orders of an agreement, may total: the largest amount that a JSON number carries exactly with two decimals. */
export const MAX_GROSS = 9_999_999_999_999.99
/** The same in a currency: less where amounts have more decimals, since a JSON number carries 15 digits exactly. */
export function mostGross(currency: string): number {
  const places = decimalPlaces(currency)
  return places <= 2 ? MAX_GROSS : (10 ** 15 - 1) / 10 ** places
}
/** The most impressions that an order may guarantee per audience, for the same reason. */
export const MAX_IMPRESSIONS = 999_999_999_999_999
/** The most units of a line. */
export const MAX_UNITS = 1_000_000_000

export const LINES_PER_ORDER = 500
/** The most orders in a family, since placing one ends all others. */
export const ORDERS_PER_FAMILY = 1_000
/** The most orders on a page of a list. */
export const ORDERS_PER_PAGE = 200
/** The most faults that a refusal lists. */
export const FAULTS_TOLD = 1_000
/** The most lines of an order, including the counters of every round, since each event of a decision carries them all. */
export const LINES_WITH_COUNTERS = 2_000
/** The size of an order's log, in characters, beyond which it accepts no more counters and plans, since each command reads all events. */
export const LOG_CHARACTERS = 16 * 1024 * 1024
/** The most bytes of a publish, enough for 100,000 entries. */
export const PUBLISH_BYTES = 32 * 1024 * 1024
/** The most things of one kind that a search finds. */
export const FOUND_OF_EACH = 10
/** The newest orders of a tenant, and the products, whose texts a search reads. */
export const SEARCHED_ORDERS = 2_000
export const SEARCHED_PRODUCTS = 5_000

/** How many tenants a credential of a sandbox may make in any 24 hours. */
export const FRESH_PER_DAY = 20
