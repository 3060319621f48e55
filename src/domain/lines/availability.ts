import type { LineAvailability } from '../../contract/lineItem.ts'
import type { Period } from '../../contract/scalars.ts'
import type { AvailBasis, AvailState, Grain } from '../../contract/vocabulary.ts'
import { weekOf, weeksOfPeriod } from '../calendar.ts'

/** A published avail of a product. */
export interface PublishedAvail {
  product_id: string
  grain: Grain
  start: string
  state: AvailState
  basis?: AvailBasis
  sellout_level?: number
  /** The published count of spots or units. */
  available?: number | null
}

interface Wanted {
  readonly product_id: string
  readonly period: Period
}

/** Returns the avails that apply to a line: those of its period; a day falls back to its week, and a month adds its weeks (choices, Inventory). */
export function availsFor<A extends PublishedAvail>({ product_id, period }: Wanted, avails: readonly A[]): A[] {
  const of = (grain: Grain, start: string) =>
    avails.filter((avail) => avail.product_id === product_id && avail.grain === grain && avail.start === start)
  const own = of(period.grain, period.start)
  if (period.grain === 'week') return own
  if (period.grain === 'day') return own.length > 0 ? own : of('week', weekOf(period.start))
  return [...own, ...weeksOfPeriod('month', period.start).flatMap((week) => of('week', week))]
}

/** Returns true if any avail that applies to the line is unavailable. Counts never decide (choices, Inventory). */
export function isUnavailable(line: Wanted, avails: readonly PublishedAvail[]): boolean {
  return availsFor(line, avails).some(({ state }) => state === 'unavailable')
}

const WORST: readonly AvailState[] = ['unavailable', 'projected', 'available']

/** Returns the published availability for a line result; null if the seller published none for its period. */
export function lineAvailability(line: Wanted, avails: readonly PublishedAvail[]): LineAvailability | null {
  const speaking = availsFor(line, avails)
  const [first] = speaking
  const state = WORST.find((word) => speaking.some((avail) => avail.state === word))
  if (first === undefined || state === undefined) return null
  return { state, basis: first.basis ?? 'modelled', sellout_level: speaking.length === 1 ? (first.sellout_level ?? null) : null }
}
