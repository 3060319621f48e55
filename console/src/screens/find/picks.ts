import type { AvailEntry, AvailRate, CatalogProduct, Period } from '../../api/queries/sellers.ts'
import { offerKey } from '../../basket/basket.ts'

export const MAX_PICKS = 4

/** A product chosen for comparison; the address names it as `seller/product`. */
export interface Pick {
  readonly seller: string
  readonly product: string
}

/** A compared product with the avails that its seller publishes. */
export interface Column extends Pick {
  readonly rateVersion: string
  readonly network: string
  readonly title: string | undefined
  /** The days and hours at which it airs. */
  readonly airs: string | undefined
  readonly avails: readonly AvailEntry[]
  readonly isPending: boolean
  readonly error: unknown
}

/** Which price the grid shows for each product: that of a spot length and an offer. */
export interface Choice {
  readonly length: number | undefined
  readonly offer: string | undefined
}

export interface Offers {
  readonly grains: readonly Period['grain'][]
  readonly lengths: readonly number[]
  readonly offers: readonly AvailRate[]
}

export function pickText({ seller, product }: Pick): string {
  return `${seller}/${product}`
}

export function picksOf(texts: readonly string[]): Pick[] {
  return texts.slice(0, MAX_PICKS).flatMap((text) => {
    const at = text.indexOf('/')
    return at > 0 ? [{ seller: text.slice(0, at), product: text.slice(at + 1) }] : []
  })
}

export function firstPicks(seller: string, products: readonly CatalogProduct[]): Pick[] {
  return products.slice(0, MAX_PICKS).map(({ product_id }) => ({ seller, product: product_id }))
}

/** Returns the options in the columns; the offers in most cells come first. */
export function offersOf(columns: readonly Column[], grain: Period['grain']): Offers {
  const entries = columns.flatMap(({ avails }) => avails)
  const rates = entries.filter(({ period }) => period.grain === grain).flatMap((entry) => entry.rates)
  const counts = new Map<string, { rate: AvailRate; count: number }>()
  for (const rate of rates) {
    const known = counts.get(offerKey(rate))
    counts.set(offerKey(rate), { rate, count: (known?.count ?? 0) + 1 })
  }
  return {
    grains: GRAINS.filter((one) => entries.some(({ period }) => period.grain === one)),
    lengths: [...new Set(rates.map(({ spot_length }) => spot_length))].sort((one, other) => one - other),
    offers: [...counts.values()].sort((one, other) => other.count - one.count).map(({ rate }) => rate),
  }
}

const GRAINS = ['week', 'day', 'month'] as const
const USUAL_LENGTH = 30

/** Returns the choice in the address if the columns offer it, else the default. */
export function choiceOf({ lengths, offers }: Offers, length: number | undefined, offer: string | undefined): Choice {
  const usual = lengths.includes(USUAL_LENGTH) ? USUAL_LENGTH : lengths[0]
  const isThere = offers.some((rate) => offerKey(rate) === offer)
  return {
    length: length !== undefined && lengths.includes(length) ? length : usual,
    offer: isThere ? offer : offers[0] && offerKey(offers[0]),
  }
}

/** Returns the periods that appear in any column, in order. */
export function periodsOf(columns: readonly Column[], grain: Period['grain']): Period[] {
  const periods = columns.flatMap(({ avails }) => avails.map(({ period }) => period)).filter((period) => period.grain === grain)
  const byStart = new Map(periods.map((period) => [period.start, period]))
  return [...byStart.values()].sort((one, other) => one.start.localeCompare(other.start))
}

export function entryOf({ avails }: Column, { grain, start }: Period): AvailEntry | undefined {
  return avails.find(({ period }) => period.grain === grain && period.start === start)
}

/** Returns the offer that a column shows: the chosen one if the column has it at this length, else its most frequent one. */
export function offerOf(column: Column, grain: Period['grain'], { length, offer }: Choice): AvailRate | undefined {
  const ofLength = { ...column, avails: column.avails.map((entry) => ({ ...entry, rates: entry.rates.filter(isOf(length)) })) }
  const { offers } = offersOf([ofLength], grain)
  return offers.find((rate) => offerKey(rate) === offer) ?? offers[0]
}

/** Returns the price of a cell: a quote for the column's offer, else its card price, else another price of the same length. */
export function rateOf({ rates }: AvailEntry, { length, offer }: Choice): AvailRate | undefined {
  const ofLength = rates.filter(isOf(length))
  const chosen = ofLength.filter((rate) => offerKey(rate) === offer)
  return chosen.find(({ quote_expires_at }) => quote_expires_at !== undefined) ?? chosen[0] ?? ofLength[0]
}

function isOf(length: number | undefined) {
  return ({ spot_length }: AvailRate) => spot_length === length
}

/** Describes the remaining inventory; undefined if the seller discloses it only on request. */
export function leftText({ state, sellout_level, spots, units, avails_policy }: AvailEntry): string | undefined {
  if (state === 'unavailable') return 'sold out'
  const left = (spots ?? units)?.available
  if (left !== undefined) return `${left} left`
  if (sellout_level !== undefined) return `${Math.round(sellout_level * 100)}% sold`
  if (state !== undefined) return state
  return avails_policy === 'published' ? 'not stated' : undefined
}
