import type { Fault } from '../../contract/errorEnvelope.ts'
import type { ReadableLine } from '../../contract/readableCreate.ts'
import { addMinutes, type Instant, type IsoDate } from '../calendar.ts'

/**
 * Refuses a line whose first air date is closer than the seller's lead time, unless it cites a hold: the last-minute lane (choices, Holds).
 * `checkCitedHolds` checks the hold itself.
 */
export function checkLeadTime(
  { hold_id }: Pick<ReadableLine, 'hold_id'>,
  firstAirDate: IsoDate | undefined,
  lead: LeadTime | undefined,
  field: string,
): Fault[] {
  if (lead === undefined || lead.min_lead_minutes === 0 || hold_id !== undefined || firstAirDate === undefined) return []
  const { min_lead_minutes, now } = lead
  if (`${firstAirDate}T00:00:00.000Z` >= addMinutes(now, min_lead_minutes)) return []
  const message = `The line airs from ${firstAirDate}; the seller requires orders ${min_lead_minutes} minutes ahead, or a hold.`
  return [{ error_code: 'INVALID_INPUT', field, message, details: { min_lead_minutes, first_air_date: firstAirDate } }]
}

export interface LeadTime {
  /** The seller's sla.min_lead_minutes. */
  min_lead_minutes: number
  now: Instant
}
