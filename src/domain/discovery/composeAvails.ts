import type { Avail, AvailsRead } from '../../contract/avail.ts'
import type { Grain } from '../../contract/vocabulary.ts'
import { addTo } from '../addTo.ts'
import type { Disclosure } from '../agreement/disclosure.ts'
import { isPricedByQuote, sellsAt } from '../agreement/quotedPricing.ts'
import { datesOfPeriod, weeksOfPeriod } from '../calendar.ts'
import { byProduct } from '../publish/byProduct.ts'
import { rateKey } from '../publish/stageRateCard.ts'
import { availRate, type CardPrice } from './availRate.ts'
import { isSelected, type WeekRun } from './weekSelection.ts'

export type AvailEntry = AvailsRead['avails'][number]

/** A product that the reader may see, with its disclosure to that reader. */
export interface Disclosed {
  readonly product_id: string
  readonly disclosure: Disclosure
  /** The dates on which it is sold; if omitted, always. */
  readonly effective?: { readonly start: string; readonly end: string } | undefined
}

export interface Published {
  readonly avails: readonly Avail[]
  /** The prices of the current card that the reader may see, after rate filters. */
  readonly prices: readonly CardPrice[]
  /** For products with avails on request: the periods that an answer disclosed to this reader. */
  readonly answered?: readonly { readonly product_id: string; readonly grain: string; readonly start: string }[]
}

export interface AvailsRequest {
  /** The requested weeks; if undefined, all. */
  readonly weeks?: readonly WeekRun[] | undefined
  /** True if a rate filter is set: periods without a matching rate are left out, unless the product is priced by quote. */
  readonly ratesFiltered: boolean
}

/**
 * Composes the avails read: published avails joined with the current rates of their weeks, and priced weeks without a published avail
 * (contract, Avail; choices, Avails read). A period outside a product's effective dates shows no rates. Pricing policy `quote` shows only the reader's
 * own quotes. Avails policies on_request (until answered) and withheld show no state and no counts. Yields between steps, so that its caller
 * can serve others in between.
 */
export function* composeAvails(
  products: readonly Disclosed[],
  { avails, prices, answered = [] }: Published,
  request: AvailsRequest,
): Generator<void, AvailEntry[]> {
  const answeredOf = byProduct(answered)
  const availsOf = byProduct(avails)
  const pricesOf = byProduct(prices)
  const weeksOf = touchedWeeks()
  const entries: AvailEntry[] = []
  for (const product of products) {
    const { product_id } = product
    const answered = new Set(answeredOf.get(product_id)?.map(({ grain, start }) => `${grain} ${start}`))
    const own = yield* entriesOf(product, availsOf.get(product_id) ?? [], pricesOf.get(product_id) ?? [], request, { weeksOf, answered })
    for (const entry of own) entries.push(entry)
  }
  return entries
}

function* entriesOf(
  { product_id, disclosure, effective }: Disclosed,
  avails: readonly Avail[],
  prices: readonly CardPrice[],
  request: AvailsRequest,
  { weeksOf, answered }: { weeksOf: WeeksOf; answered: ReadonlySet<string> },
): Generator<void, AvailEntry[]> {
  const byWeek = new Map<string, CardPrice[]>()
  for (const price of prices) {
    yield
    if (!sellsAt(disclosure, { isOwnQuote: price.visible_to !== null }) || !isSold(effective, 'week', price.week)) continue
    addTo(byWeek, price.week, price)
  }
  const entries: AvailEntry[] = []
  const needsRates = request.ratesFiltered && !isPricedByQuote(disclosure)
  for (const avail of avails) {
    yield
    const { grain, start } = avail.period
    const rates = isSold(effective, grain, start) ? ratesOf(weeksOf(avail.period), byWeek).map(availRate) : []
    if (rates.length > 0 || !needsRates) entries.push({ ...shown(avail, disclosure, answered), rates })
  }
  const weeksStated = new Set(avails.flatMap(({ period }) => (period.grain === 'week' ? [period.start] : [])))
  for (const [week, rates] of byWeek) {
    yield
    if (weeksStated.has(week) || !isSelected(week, request.weeks)) continue
    entries.push({ product_id, period: { grain: 'week', start: week }, ...policyOf(disclosure), rates: rates.map(availRate) })
  }
  return entries.sort(byPeriod)
}

/** Shows counts if they are published or were disclosed by an answer; otherwise names the policy, so the buyer knows to ask. */
function shown(avail: Avail, disclosure: Disclosure, answered: ReadonlySet<string>): Omit<AvailEntry, 'rates'> {
  const { product_id, period, state, basis, sellout_level, spots, units, impressions } = avail
  const { avails_policy } = disclosure
  const isShown = avails_policy === 'published' || (avails_policy === 'on_request' && answered.has(`${period.grain} ${period.start}`))
  if (!isShown) return { product_id, period, ...policyOf(disclosure) }
  return {
    product_id,
    period,
    ...policyOf(disclosure),
    state,
    ...(basis && { basis }),
    ...(sellout_level !== undefined && { sellout_level }),
    ...(spots && { spots }),
    ...(units && { units }),
    ...(impressions && { impressions }),
  }
}

function policyOf({ avails_policy }: Disclosure): Pick<AvailEntry, 'avails_policy'> {
  return avails_policy === 'published' ? {} : { avails_policy }
}

/** Returns true if the product is sold on any day of the period. */
function isSold(effective: Disclosed['effective'], grain: Grain, start: string): boolean {
  if (effective === undefined) return true
  const { first, last } = datesOfPeriod(grain, start)
  return first <= effective.end && effective.start <= last
}

/** Returns the rates of a period: those of a day's week, or those that all weeks of a month share, since a month line books every week. */
function ratesOf(weeks: readonly string[], byWeek: ReadonlyMap<string, CardPrice[]>): CardPrice[] {
  const [first = [], ...others] = weeks.map((week) => byWeek.get(week) ?? [])
  const keys = others.map((prices) => new Set(prices.map(scopedKey)))
  return first.filter((price) => keys.every((known) => known.has(scopedKey(price))))
}

type WeeksOf = (period: Avail['period']) => readonly string[]

/** Returns the weeks that a period touches. Memoized: calendar arithmetic is slow, and a seller's avails repeat a few periods. */
function touchedWeeks(): WeeksOf {
  const known = new Map<string, readonly string[]>()
  return ({ grain, start }) => {
    const weeks = known.get(start) ?? weeksOfPeriod(grain, start)
    known.set(start, weeks)
    return weeks
  }
}

function scopedKey(price: CardPrice): string {
  return `${rateKey(price)} ${price.agreement_id} ${price.visible_to}`
}

const GRAIN_ORDER: Record<Grain, number> = { day: 0, week: 1, month: 2 }

function byPeriod({ period: a }: AvailEntry, { period: b }: AvailEntry): number {
  return GRAIN_ORDER[a.grain] - GRAIN_ORDER[b.grain] || (a.start < b.start ? -1 : a.start > b.start ? 1 : 0)
}
