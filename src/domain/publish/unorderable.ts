import type { Avail } from '../../contract/avail.ts'
import type { EntryWarning, Product } from '../../contract/product.ts'
import type { EntryWarningCode } from '../../contract/vocabulary/codes.ts'
import { datesOfPeriod, type Instant } from '../calendar.ts'
import { notOnSale } from './onSale.ts'
import type { ProductTerms } from './productTerms.ts'
import type { Parsed } from './staged.ts'
import type { PricedEntry } from './stageRateCard.ts'

/** Returns UNORDERABLE_PRICE for each entry that no order can cite under the current catalog (choices, What can never be ordered). */
export function unorderablePrices(
  entries: readonly PricedEntry[],
  products: ReadonlyMap<string, ProductTerms>,
  now: Instant,
): EntryWarning[] {
  const spans = spansOf()
  const airs = airWeeks()
  return entries.flatMap((priced) => {
    const product = products.get(priced.entry.product_id)
    const reason = product && whyUnorderable(priced, product, now, { spans, airs })
    return reason === undefined ? [] : [warning('UNORDERABLE_PRICE', priced.index, priced.entry.product_id, reason)]
  })
}

/** Returns UNSOLD_PERIOD for each avail that no line can book: its grain is not sold, or its period is outside the product's effective dates. */
export function unsoldPeriods(avails: readonly Parsed<Avail>[], products: ReadonlyMap<string, SoldProduct>): EntryWarning[] {
  return avails.flatMap(periodWarnings(products))
}

/** Returns the check of `unsoldPeriods` for avails that arrive one by one. */
export function periodWarnings(products: ReadonlyMap<string, SoldProduct>): (avail: Parsed<Avail>) => EntryWarning[] {
  const spans = spansOf()
  return ({ index, value: { product_id, period } }) => {
    const product = products.get(product_id)
    const reason = product && whyUnsold(product, period, spans)
    return reason === undefined ? [] : [warning('UNSOLD_PERIOD', index, product_id, reason)]
  }
}

/** The members of a product that decide whether a period is sold. */
type SoldProduct = Pick<Product, 'product_id' | 'grains' | 'effective'>

function whyUnorderable(
  { entry, weeks }: PricedEntry,
  product: ProductTerms,
  now: Instant,
  { spans, airs }: { spans: Spans; airs: (product: ProductTerms) => ReadonlySet<string> | undefined },
): string | undefined {
  const { product_id, buy_types } = product
  if (!buy_types.includes(entry.buy_type)) return `${product_id} is sold as ${buy_types.join(', ')}, not as ${entry.buy_type}.`
  if (entry.window !== undefined && Date.parse(entry.window.closes) <= Date.parse(now)) return 'Its window has closed.'
  const ended = notOnSale(product, now.slice(0, 10))
  if (ended !== undefined) return ended
  if (weeks.length > 0 && weeks.every((week) => isOutside(product, spans('week', week))))
    return `${product_id} is sold from ${product.effective?.start} to ${product.effective?.end}, which includes none of its weeks.`
  const aired = airs(product)
  if (aired !== undefined && weeks.length > 0 && !weeks.some((week) => aired.has(week))) return `${product_id} airs in none of its weeks.`
  return undefined
}

/** Returns why a period is not sold. A week always has a sold grain, since day lines fall back to week avails and month lines use them. */
function whyUnsold(product: SoldProduct, { grain, start }: Avail['period'], spans: Spans): string | undefined {
  const { product_id, grains, effective } = product
  if (grain !== 'week' && !grains.includes(grain)) return `${product_id} is sold by ${grains.join(', ')}, not by ${grain}.`
  if (isOutside(product, spans(grain, start))) return `${product_id} is sold from ${effective?.start} to ${effective?.end}.`
  return undefined
}

function isOutside({ effective }: Pick<Product, 'effective'>, { first, last }: { first: string; last: string }): boolean {
  return effective !== undefined && (last < effective.start || effective.end < first)
}

type Spans = (grain: Avail['period']['grain'], start: string) => { first: string; last: string }

/** Returns a function for the dates of periods. Memoized: calendar arithmetic is slow, and a publish repeats a few periods. */
function spansOf(): Spans {
  const known = new Map<string, { first: string; last: string }>()
  return (grain, start) => {
    const found = known.get(start)
    if (found !== undefined) return found
    const span = datesOfPeriod(grain, start)
    known.set(start, span)
    return span
  }
}

/** Returns a function for the weeks in which a product airs; undefined for one that airs in every week. */
function airWeeks(): (product: ProductTerms) => ReadonlySet<string> | undefined {
  const known = new Map<string, ReadonlySet<string>>()
  return ({ product_id, air_weeks }) => {
    if (air_weeks === undefined) return undefined
    const weeks = known.get(product_id) ?? new Set(air_weeks)
    known.set(product_id, weeks)
    return weeks
  }
}

function warning(code: EntryWarningCode, index: number, product_id: string, reason: string): EntryWarning {
  return { index, code, product_id, message: `No order can use this entry. ${reason}` }
}
