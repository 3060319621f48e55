import { addUp } from '../addUp.ts'
import { decimal, jsonNumber } from '../decimal.ts'
import type { BookedGuarantee } from './bookedGuarantees.ts'
import type { BookedSpots } from './bookedSpots.ts'
import { keyOf } from './keyOf.ts'
import type { AudienceGuarantee } from './reconciliationResult.ts'

/** The totals of a line's final posts, by audience and stream. */
export interface DeliveredAudience {
  readonly unit_id: string
  readonly audience_code: string
  readonly stream: string
  /** The total as decimal text. */
  readonly impressions: string
}

/**
 * Returns the audience that each line guarantees, and the delivery that final posts of its stream report. Without a stream the delivery is
 * unknown. A shortfall is only shown and never settled.
 */
export function audienceGuarantees(
  guarantees: readonly BookedGuarantee[],
  booked: readonly BookedSpots[],
  delivered: readonly DeliveredAudience[],
): AudienceGuarantee[] {
  const posted = new Map(delivered.map((post) => [keyOf(post.unit_id, post.audience_code, post.stream), post.impressions]))
  const units = new Map<string, number>()
  for (const spots of booked) if (spots.kind === 'spot') addUp(units, spots.unit_id, spots.units)
  return guarantees.map(({ unit_id, audience_code, stream, per_unit }) => {
    const guaranteed = decimal(per_unit).times(decimal(units.get(unit_id) ?? 0))
    const line = { unit_id, audience_code, stream, guaranteed: jsonNumber(guaranteed) }
    if (stream === null) return { ...line, delivered: null, shortfall: null, reason: 'policy_unstated' }
    const impressions = decimal(posted.get(keyOf(unit_id, audience_code, stream)) ?? 0)
    const shortfall = guaranteed.gt(impressions) ? guaranteed.minus(impressions) : decimal(0)
    return { ...line, delivered: jsonNumber(impressions), shortfall: jsonNumber(shortfall) }
  })
}
