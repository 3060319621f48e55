import type { SellerProfile } from '../../contract/seller.ts'

/** What a seller has shown and declared, as far as its level depends on it. */
export interface Conformance {
  readonly has_products: boolean
  /** It published or decided over the API at least once. */
  readonly uses_api: boolean
  readonly profile: SellerProfile
}

/** A lead this short or shorter makes a last-minute lane. Minutes. */
const LAST_MINUTE = 1440

/** The steps to each level, cumulative (choices, Level), with what a seller lacks of it in words. */
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

/** The level on the sellers list, computed and never accepted: each step counts only on top of all before. */
export function conformanceLevel(seller: Conformance): number {
  const missing = steps(seller).findIndex((step) => step.length > 0)
  return missing === -1 ? 4 : missing
}

/** What is missing for the next level; null on the highest. */
export function nextLevel(seller: Conformance): { level: number; missing: string[] } | null {
  const level = conformanceLevel(seller)
  const step = steps(seller)[level]
  return step === undefined ? null : { level: level + 1, missing: step }
}
