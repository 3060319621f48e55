import type { Fault } from '../../contract/errorEnvelope.ts'
import type { EntryError } from '../../contract/product.ts'
import type { RateEntry } from '../../contract/rateCard.ts'
import { finerThanCurrency } from '../../contract/vocabulary/minorUnits.ts'
import { daysBetween, type IsoDate, weeksBetween } from '../calendar.ts'
import { Refusal } from '../refusal.ts'
import { byIndex, entryName, invalidEntry, type NameOfEntry, type Parsed, type Staged, unknownProduct } from './staged.ts'

/** Twenty-one years. A longer window is a typing error in a date, and each of its weeks would be materialized. */
const MAX_WEEKS = 1_100
/** The most prices (entries times weeks) of one commit, which is written in one transaction. */
export const MAX_PRICES = 1_000_000

export interface Effective {
  readonly start: IsoDate
  readonly end: IsoDate
}

/** A rate entry with the ISO weeks that it prices: its own, or every week of the commit without a week-specific entry of its key. */
export interface PricedEntry {
  readonly index: number
  readonly entry: RateEntry
  readonly weeks: readonly string[]
}

/**
 * Checks the entries of one commit. An entry without a week spans `effective` and is materialized per ISO week; a week-specific entry of the same
 * key takes precedence (contract, Rate card commit). If a key is priced twice for one week, the later entry is INVALID_ENTRY. Errors: INVALID_INPUT
 * if the window or the number of prices is out of bounds. `currency` is that of entries without one.
 */
export function stageRateCard(
  effective: Effective,
  productIds: ReadonlySet<string>,
  entries: readonly Parsed<RateEntry>[],
  currency: string,
  nameOf: NameOfEntry = entryName,
): Staged<PricedEntry> {
  const weeks = weeksWithin(effective)
  const inWindow = new Set(weeks)
  const errors: EntryError[] = []
  const keys = new Map<string, Key>()
  const valid: Parsed<RateEntry>[] = []
  for (const entry of entries) {
    const error = entryFault(entry, productIds, inWindow, effective) ?? fineCost(entry, currency) ?? place(keys, entry, nameOf)
    if (error === undefined) valid.push(entry)
    else errors.push(error)
  }
  const accepted = valid.map(({ index, value }) => ({ index, entry: value, weeks: weeksPriced(keys, value, weeks) }))
  refuseTooMany(accepted.reduce((count, entry) => count + entry.weeks.length, 0))
  return { accepted, errors: errors.sort(byIndex), warnings: [] }
}

/**
 * Returns a fault for each entry that has both or neither of gross_rate_unit and gross_rate_cpm, which refuses a whole PUT, or a row of a drop
 * (contract, Rate card commit; choices, Publish faults). Checks entries as sent, so other faults do not hide this one.
 */
export function costFaults(entries: readonly unknown[]): Fault[] {
  return entries.flatMap((entry, index) => {
    const fault = costFault(entry)
    if (fault === undefined) return []
    const message = `Entry ${index} ${fault}.`
    return [{ error_code: 'INVALID_INPUT' as const, field: `entries.${index}.gross_rate_unit`, message, details: { index } }]
  })
}

/** Returns what an entry with both or neither cost must have, as a predicate. */
export function costFault(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return undefined
  const { gross_rate_unit, gross_rate_cpm } = entry as Record<string, unknown>
  const sent = [gross_rate_unit, gross_rate_cpm].filter((cost) => cost !== undefined && cost !== null).length
  if (sent === 1) return undefined
  return `must have exactly one of gross_rate_unit and gross_rate_cpm; it has ${sent === 0 ? 'neither' : 'both'}`
}

/** Returns an entry's key on the card, without the week (choices, Current card). */
export function rateKey(entry: Pick<RateEntry, KeyMember> & { readonly clearance_tier?: string | null | undefined }): string {
  const { product_id, market_class, advertiser_class, spot_length, buy_type, clearance_tier } = entry
  return JSON.stringify([product_id, market_class, advertiser_class, spot_length, buy_type, clearance_tier ?? null])
}
type KeyMember = 'product_id' | 'market_class' | 'advertiser_class' | 'spot_length' | 'buy_type'

/** Returns the fault of a window and the member that has it; undefined if it is a valid window of a commit. */
export function windowFault({
  start,
  end,
}: Effective): { readonly field: `effective.${keyof Effective}`; readonly message: string } | undefined {
  if (start < '1970-01-01') return { field: 'effective.start', message: 'effective.start must not be before 1970.' }
  if (end > '2999-12-31') return { field: 'effective.end', message: 'effective.end must not be after 2999.' }
  if (daysBetween(start, end) > MAX_WEEKS * 7) return { field: 'effective.end', message: `effective must span at most ${MAX_WEEKS} weeks.` }
  return undefined
}

function weeksWithin(effective: Effective): string[] {
  const fault = windowFault(effective)
  if (fault !== undefined) throw new Refusal('INVALID_INPUT', fault.message, { field: fault.field })
  return weeksBetween(effective.start, effective.end)
}

function refuseTooMany(prices: number): void {
  if (prices <= MAX_PRICES) return
  const message = `The commit has ${prices} prices (entries times weeks); the limit is ${MAX_PRICES}. Split it into several commits.`
  throw new Refusal('INVALID_INPUT', message, { field: 'entries', prices, limit: MAX_PRICES })
}

function entryFault(
  { index, value: entry }: Parsed<RateEntry>,
  productIds: ReadonlySet<string>,
  inWindow: ReadonlySet<string>,
  { start, end }: Effective,
): EntryError | undefined {
  if (!productIds.has(entry.product_id)) return unknownProduct(index, entry.product_id)
  const { week, window } = entry
  if (week !== undefined && !inWindow.has(week)) {
    return invalidEntry(index, 'week', week, `${week} is not a week of effective, ${start} to ${end}.`)
  }
  if (window?.opens !== undefined && Date.parse(window.opens) >= Date.parse(window.closes)) {
    return invalidEntry(index, 'window.closes', window.closes, 'window.closes must be after window.opens.')
  }
  const stamps = { 'window.opens': window?.opens, 'window.closes': window?.closes, quote_expires_at: entry.quote_expires_at }
  for (const [field, stamp] of Object.entries(stamps)) {
    if (stamp !== undefined && (stamp < '1970' || stamp >= '3000'))
      return invalidEntry(index, field, stamp, `${field} must be between 1970 and 2999.`)
  }
  return undefined
}

/** Refuses a cost that is finer than its currency, since no amount could be that fine (choices, Minor units). */
function fineCost({ index, value: entry }: Parsed<RateEntry>, currency: string): EntryError | undefined {
  for (const field of ['gross_rate_unit', 'gross_rate_cpm'] as const) {
    const cost = entry[field]
    const fault = cost === undefined ? undefined : finerThanCurrency(cost, entry.currency ?? currency)
    if (fault !== undefined) return invalidEntry(index, field, cost, `${field} ${fault}.`)
  }
  return undefined
}

/** The entries that price a key: at most one spanning entry, and one entry per week. */
interface Key {
  spanning?: number
  byWeek: Map<string, number>
}

function place(keys: Map<string, Key>, { index, value: entry }: Parsed<RateEntry>, nameOf: NameOfEntry): EntryError | undefined {
  const name = rateKey(entry)
  const key = keys.get(name) ?? { byWeek: new Map<string, number>() }
  keys.set(name, key)
  const earlier = entry.week === undefined ? key.spanning : key.byWeek.get(entry.week)
  if (earlier !== undefined) {
    return invalidEntry(
      index,
      entry.week === undefined ? 'product_id' : 'week',
      entry.week ?? entry.product_id,
      `The same price is already in ${nameOf(earlier)}.${entry.audience_code === undefined ? '' : ONE_GUARANTEE}`,
    )
  }
  if (entry.week === undefined) key.spanning = index
  else key.byWeek.set(entry.week, index)
  return undefined
}

const ONE_GUARANTEE = ' The audience code is not part of the key, so a key can guarantee only one audience.'

function weeksPriced(keys: ReadonlyMap<string, Key>, entry: RateEntry, weeks: readonly string[]): readonly string[] {
  if (entry.week !== undefined) return [entry.week]
  const taken = keys.get(rateKey(entry))?.byWeek
  return taken === undefined || taken.size === 0 ? weeks : weeks.filter((week) => !taken.has(week))
}
