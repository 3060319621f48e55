import type { LineBooking } from '../../contract/event.ts'
import type { LineAvailability, LineItem, LinePostingPolicy, LineResult, RateCited, RateRead } from '../../contract/lineItem.ts'
import type { IsoDate } from '../calendar.ts'
import { type Decimal, decimal, money } from '../decimal.ts'
import { allocate } from './allocation.ts'
import { withShares } from './trafficInstructions.ts'

/** The facts that the platform fixed for a line at create. */
export interface LineFacts {
  unit_id: string
  provider: string
  network: string
  /** The title of the product when the line was fixed, if it had one. */
  product_title?: string
  /** The dates that the period books, in order. */
  booked_dates: IsoDate[]
  /** The impressions of one unit of a line priced by cpm: the guaranteed or the published figure. */
  impressions_per_unit?: number
  /** The time zone of the product, whose dates the booked ones are; UTC if absent. */
  timezone?: string
  creative_snapshot?: NonNullable<LineResult['creative_snapshot']>
  availability: LineAvailability | null
  posting_policy: LinePostingPolicy
  mirror?: { product_id: string; network: string }
}

/** Returns the part of a line's facts that the events of plans, documents and counters carry. */
export function bookingOf({ unit_id, booked_dates, impressions_per_unit, timezone }: LineBooking): LineBooking {
  return {
    unit_id,
    booked_dates,
    ...(impressions_per_unit === undefined ? {} : { impressions_per_unit }),
    ...(timezone === undefined ? {} : { timezone }),
  }
}

/** Returns a line before the seller decides: nothing is accepted or allocated (choices, Lines). */
export function pendingLine(item: LineItem, facts: LineFacts): LineResult {
  return {
    unit_id: facts.unit_id,
    product_id: item.product_id,
    ...(facts.product_title === undefined ? {} : { product_title: facts.product_title }),
    provider: facts.provider,
    network: facts.network,
    period: item.period,
    allocation: [],
    spot_length: item.spot_length,
    units: item.units,
    num_accepted: 0,
    status: 'pending',
    reason: null,
    rate: rateRead(item.rate),
    availability: facts.availability,
    posting_policy: facts.posting_policy,
    include_mirror: item.include_mirror ?? false,
    ...(facts.mirror === undefined ? {} : { mirror: { ...facts.mirror, allocation: [] } }),
    ...kept(item, 'rc_impressions'),
    ...kept(item, 'creative_id'),
    ...kept(item, 'hold_id'),
    ...kept(item, 'do_not_air'),
    ...(facts.creative_snapshot === undefined ? {} : { creative_snapshot: facts.creative_snapshot }),
    ...(item.traffic_instructions === undefined ? {} : { traffic_instructions: withShares(item.traffic_instructions) }),
  }
}

/** Accepts `units` of a line: allocates them over its booked dates, with the mirror airing alongside. */
export function acceptLine(line: LineResult, { booked_dates }: Pick<LineFacts, 'booked_dates'>, units: number): LineResult {
  return resolved(line, { status: 'accepted', reason: null, num_accepted: units, allocation: allocate(units, booked_dates) })
}

/** Returns the line with the allocation that it would have if all units were accepted. */
export function previewLine(line: LineResult, { booked_dates }: Pick<LineFacts, 'booked_dates'>): LineResult {
  const { status, reason, num_accepted } = line
  return resolved(line, { status, reason, num_accepted, allocation: allocate(line.units, booked_dates) })
}

export function rejectLine(line: LineResult, reason: string | null): LineResult {
  return resolved(line, { status: 'rejected', reason, num_accepted: 0, allocation: [] })
}

/** Marks a line as waiting for the buyer's answer to a counter. */
export function counteredLine(line: LineResult, reason: string | null): LineResult {
  return resolved(line, { status: 'countered', reason, num_accepted: 0, allocation: [] })
}

function resolved(line: LineResult, outcome: Pick<LineResult, 'status' | 'reason' | 'num_accepted' | 'allocation'>): LineResult {
  const { mirror } = line
  return { ...line, ...outcome, ...(mirror === undefined ? {} : { mirror: { ...mirror, allocation: outcome.allocation } }) }
}

/** Returns the cost of a line at its locked rate, rounded half up once per line (choices, Line amount). */
export function lineAmount(line: LineResult, { impressions_per_unit }: { impressions_per_unit?: number | undefined }): Decimal {
  const units = line.status === 'pending' ? line.units : line.status === 'accepted' ? line.num_accepted : 0
  return amountOf(line.rate, units, impressions_per_unit)
}

/** Returns the cost of units at a rate, rounded half up to the minor unit of its currency (choices, Line amount). */
export function amountOf(rate: Costs & Pick<RateCited, 'currency'>, units: number, impressions_per_unit: number | undefined): Decimal {
  return money(exactAmountOf(rate, units, impressions_per_unit), rate.currency)
}

/** Returns the cost of units at a rate before any rounding. */
export function exactAmountOf({ unit_cost, cpm }: Costs, units: number, impressions_per_unit: number | undefined): Decimal {
  if (unit_cost !== undefined) return decimal(unit_cost).times(decimal(units))
  return decimal(cpm ?? 0)
    .times(decimal(impressions_per_unit ?? 0))
    .times(decimal(units))
    .div(decimal(1000))
}

type Costs = Partial<Pick<RateCited, 'unit_cost' | 'cpm'>>

/** Derives `rate_basis` from the cost member that is present; ignores a sent one (contract, Rate). */
function rateRead({ rate_basis: _ignored, ...rate }: RateCited): RateRead {
  return { ...rate, rate_basis: rate.unit_cost === undefined ? 'cpm' : 'per_unit' }
}

function kept<K extends keyof LineItem>(item: LineItem, key: K): Partial<Pick<LineItem, K>> {
  return item[key] === undefined ? {} : ({ [key]: item[key] } as Pick<LineItem, K>)
}
