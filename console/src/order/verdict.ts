import type { Credit } from '../api/queries/agreements.ts'
import type { Order, OrderLine } from '../api/queries/orders.ts'
import type { CardPrice } from '../api/queries/prices.ts'
import type { Avail } from '../api/queries/publishing.ts'
import { countText } from '../ui/Money.tsx'
import { mondayOf } from '../ui/Period.tsx'
import { isInFlight, pricedWeek } from './cardWeeks.ts'

/** What a seller wants to know of an order before it decides, in a few words each. */
export interface Point {
  readonly tone: 'bad' | 'warn' | 'good'
  readonly text: string
}

/** What is known of a line beside what it asks for; undefined while it is being read. */
export interface KnownLine {
  readonly line: OrderLine
  /** The card's price; null if there is none. */
  readonly card: CardPrice | null | undefined
  /** The avail of its period; null if none is published. */
  readonly avail: Avail | null | undefined
}

/** From this many percent below the card, a price is marked. */
export const FAR_BELOW = 5
const TONES: readonly Point['tone'][] = ['bad', 'warn', 'good']
const DAY_MS = 86_400_000

/** Returns by how many percent the ask of a line is above the card, rounded; negative below it. Undefined without a comparable price. */
export function aboveCard({ rate }: Pick<OrderLine, 'rate'>, card: CardPrice | null | undefined): number | undefined {
  if (!card) return undefined
  const [asked, published] = [rate.unit_cost ?? rate.cpm, rate.unit_cost === undefined ? card.cpm : card.unit_cost]
  if (asked === undefined || published === undefined || published === 0 || rate.currency !== card.currency) return undefined
  return Math.round((asked / published - 1) * 100)
}

/** Returns how many units the seller has published as left in the period of a line; undefined if it states no count. */
export function leftOf(avail: Avail | null | undefined): number | undefined {
  return avail ? (avail.units?.available ?? avail.spots?.available) : undefined
}

export function isShort({ line, avail }: Pick<KnownLine, 'line' | 'avail'>): boolean {
  const left = leftOf(avail)
  return avail?.state === 'unavailable' || (left !== undefined && left < line.units)
}

/** Returns the verdict on an order, what speaks against it first. */
export function verdictOf(order: Order, known: readonly KnownLine[], credit: Credit | undefined, now: number): Point[] {
  const points = [...pricePoints(known), ...availPoints(known), ...creditPoints(credit), ...datePoints(order, known, now)]
  return points.sort((one, other) => TONES.indexOf(one.tone) - TONES.indexOf(other.tone))
}

function pricePoints(known: readonly KnownLine[]): Point[] {
  if (known.some(({ card }) => card === undefined)) return []
  const above = known.map(({ line, card }) => aboveCard(line, card))
  const unpriced = above.filter((one) => one === undefined).length
  const below = above.filter((one) => one !== undefined && one < 0) as number[]
  const without: Point[] = unpriced === 0 ? [] : [{ tone: 'warn', text: `${countText(unpriced, 'line')} without a price on the card` }]
  if (below.length > 0) {
    const max = -Math.min(...below)
    const text = `${countText(below.length, 'line')} below the card, by up to ${max} %`
    return [{ tone: max > FAR_BELOW ? 'bad' : 'warn', text }, ...without]
  }
  if (unpriced === known.length) return without
  return [...without, { tone: 'good', text: above.every((one) => one === undefined || one === 0) ? 'at the card' : 'at or above the card' }]
}

function availPoints(known: readonly KnownLine[]): Point[] {
  if (known.some(({ avail }) => avail === undefined)) return []
  const short = known.filter(isShort).length
  if (short > 0) return [{ tone: 'bad', text: `${short} of ${countText(known.length, 'line')} above what is left` }]
  const counted = known.filter(({ avail }) => leftOf(avail) !== undefined).length
  return counted === known.length ? [{ tone: 'good', text: 'within what is left' }] : []
}

/** The order counts in the exposure already. */
function creditPoints(credit: Credit | undefined): Point[] {
  if (!credit?.credit_limit) return []
  const used = Math.round((credit.exposure / credit.credit_limit) * 100)
  return [{ tone: used > 100 ? 'bad' : used > 90 ? 'warn' : 'good', text: `credit ${used} % used with it` }]
}

function datePoints(order: Order, known: readonly KnownLine[], now: number): Point[] {
  const starts = known.flatMap(({ line }) => firstDayOf(line) ?? [])
  const points: Point[] = []
  if (starts.length > 0) {
    const days = Math.ceil((Math.min(...starts) - now) / DAY_MS)
    points.push(
      days < 1 ? { tone: 'bad', text: 'its first period has begun' } : { tone: 'good', text: `airs in ${countText(days, 'day')}` },
    )
  }
  if (order.flight === undefined) return points
  const outside = known.filter(({ line }) => !isInFlight(order, pricedWeek(line) ?? '')).length
  return [
    ...points,
    outside > 0
      ? { tone: 'bad', text: `${countText(outside, 'line')} outside of the flight` }
      : { tone: 'good', text: 'within the flight' },
  ]
}

function firstDayOf({ period: { grain, start } }: OrderLine): number | undefined {
  if (grain === 'week') return mondayOf(start)?.setUTCHours(0)
  return Date.parse(grain === 'day' ? start : `${start}-01`)
}
