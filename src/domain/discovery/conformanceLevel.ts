import type { SellerProfile } from '../../contract/seller.ts'

/** The facts and declarations of a seller that decide its level. */
export interface Conformance {
  readonly has_products: boolean
  /** True once it has published or decided over the API. */
  readonly uses_api: boolean
  readonly profile: SellerProfile
}

/** Minutes; a lead time below this makes a last-minute lane. */
const LAST_MINUTE = 1440

/** Returns what a seller lacks for each level, in words; levels are cumulative (choices, Level). */
function steps({ has_products, uses_api, profile }: Conformance): string[][] {
  const lacking = (...wants: [boolean, string][]) => wants.filter(([has]) => !has).map(([, want]) => want)
  return [
    lacking([has_products, 'publish a product'], [uses_api, 'publish or decide over the API']),
    lacking([profile.realtime_availability && profile.transports.pull !== undefined, 'declare realtime_availability over transports.pull']),
    lacking([profile.negotiation, 'declare negotiation']),
    lacking(
      [profile.holds, 'declare holds'],
      [profile.sla.min_lead_minutes < LAST_MINUTE, `declare sla.min_lead_minutes below ${LAST_MINUTE}`],
    ),
  ]
}

/** Returns the computed level on the sellers list. A level counts only if all lower ones are reached. */
export function conformanceLevel(seller: Conformance): number {
  const missing = steps(seller).findIndex((step) => step.length > 0)
  return missing === -1 ? 4 : missing
}

/** Returns what is missing for the next level; null at the highest. */
export function nextLevel(seller: Conformance): { level: number; missing: string[] } | null {
  const level = conformanceLevel(seller)
  const step = steps(seller)[level]
  return step === undefined ? null : { level: level + 1, missing: step }
}
