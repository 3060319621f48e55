import type { Fault } from '../../contract/errorEnvelope.ts'
import type { ReadableLine } from '../../contract/readableCreate.ts'
import { addMinutes, type Instant, type IsoDate, localDate } from '../calendar.ts'

/**
 * Refuses a line whose first air date, as a date of its product's time zone, is closer than the seller's lead time, unless it cites a hold: the last-minute lane (choices, Holds).
 * `checkCitedHolds` checks the hold itself.
 */
export function checkLeadTime(
  { hold_id }: Pick<ReadableLine, 'hold_id'>,
  { date, timezone }: { date: IsoDate | undefined; timezone: string | undefined },
  lead: LeadTime | undefined,
  field: string,
): Fault[] {
  if (lead === undefined || lead.min_lead_minutes === 0 || hold_id !== undefined || date === undefined) return []
  const { min_lead_minutes, now } = lead
  // A date that begins exactly then is far enough ahead.
  const justBefore = new Date(Date.parse(addMinutes(now, min_lead_minutes)) - 1).toISOString()
  if (localDate(justBefore, timezone) < date) return []
  const message = `The line airs from ${date}; the seller requires orders ${min_lead_minutes} minutes ahead, or a hold.`
  return [{ error_code: 'INVALID_INPUT', field, message, details: { min_lead_minutes, first_air_date: date } }]
}

export interface LeadTime {
  /** The seller's sla.min_lead_minutes. */
  min_lead_minutes: number
  now: Instant
}
