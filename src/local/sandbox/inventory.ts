import type { Avail } from '../../contract/avail.ts'
import type { Product } from '../../contract/product.ts'
import type { RateEntry } from '../../contract/rateCard.ts'
import {
  addDays,
  addMonths,
  datesOfPeriod,
  datesOfWeek,
  type IsoDate,
  mondayOf,
  mondayOfDate,
  weekOf,
  weeksBetween,
} from '../../domain/calendar.ts'
import { HABITS, type Habit } from './habits.ts'

/** The price of every product of the sandbox, in USD a unit. */
export const PRICE = 1_000
/** The length of its spots, in seconds. */
export const SPOT_LENGTH = 30
export const AUDIENCE = 'A25-54'
const GUARANTEED_IMPRESSIONS = 10_000
/** How many days ahead a product that is sold by the day has avails. */
const DAYS_AHEAD = 60

/** The weeks for which the sandbox sells: from the quarter before today's to the first quarter in which the examples order, which is within 18 months. */
export interface Season {
  /** The commit of its card: the quarter of today. */
  readonly commit: string
  readonly start: IsoDate
  readonly end: IsoDate
}

export function seasonOf(today: IsoDate): Season {
  const quarter = Math.floor((Number(today.slice(5, 7)) - 1) / 3)
  const first = `${today.slice(0, 4)}-${String(quarter * 3 + 1).padStart(2, '0')}`
  const { last } = datesOfPeriod('month', addMonths(first, 17))
  return {
    commit: `sandbox-${today.slice(0, 4)}-q${quarter + 1}`,
    start: mondayOfDate(`${addMonths(first, -3)}-01`),
    end: addDays(mondayOf(weekOf(last)), 6),
  }
}

/** What a seller publishes, in the order in which it must: a price needs its product, and avails need the denomination of their product. */
export interface Inventory {
  readonly catalog: { readonly taxonomy_version: string; readonly products: readonly Product[] }
  readonly rateCard: {
    readonly commit: string
    readonly effective: { start: IsoDate; end: IsoDate }
    readonly entries: readonly RateEntry[]
  }
  readonly avails: { readonly avails: readonly Avail[] }
}

/** Returns the inventory of a seller of the sandbox, which is the same all day, so that publishing it again changes nothing. */
export function inventoryOf(seller: string, today: IsoDate): Inventory {
  const season = seasonOf(today)
  const habits = HABITS.filter((habit) => habit.seller === seller)
  const { commit, start, end } = season
  return {
    catalog: { taxonomy_version: 'sandbox-1', products: habits.map((habit) => productOf(habit, season)) },
    rateCard: { commit, effective: { start, end }, entries: habits.map((habit) => priceOf(habit)) },
    avails: { avails: habits.flatMap((habit) => availsOf(habit, season, today)) },
  }
}

function productOf(
  { seller, product_id, title, buy_type, grains, avails_policy, by_agreement, mirror, bills }: Habit,
  { start }: Season,
): Product {
  return {
    product_id,
    type: 'daypart',
    name: title,
    network: networkOf(seller, product_id),
    definition: {
      selling_title: title,
      days: bills === 'wrong' ? ['Mon', 'Wed', 'Fri'] : ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
      start: '19:00',
      end: '22:00',
      timezone: 'America/New_York',
    },
    effective: { start, end: '2099-12-31' },
    currencies: buy_type === 'audience_guaranteed' ? [AUDIENCE] : [],
    buy_types: [buy_type ?? 'preemptible'],
    grains: [...(grains ?? ['day', 'week'])],
    visibility: by_agreement ? 'by_agreement' : 'open',
    disclosure: { pricing_policy: 'published', avails_policy: avails_policy ?? 'published' },
    spot_lengths: [SPOT_LENGTH],
    advertiser_classes: ['general'],
    ...(mirror === undefined ? {} : { mirror_product_id: mirror }),
  }
}

/** A mirror airs on another network. */
function networkOf(seller: string, product_id: string): string {
  return product_id.endsWith('-west') ? 'SBX West' : seller === 'sandbox-tv' ? 'SBX' : 'SBX Pull'
}

function priceOf({ product_id, buy_type }: Pick<Habit, 'product_id' | 'buy_type'>, gross_rate_unit = PRICE): RateEntry {
  return {
    product_id,
    market_class: 'scatter',
    advertiser_class: 'general',
    spot_length: SPOT_LENGTH,
    buy_type: buy_type ?? 'preemptible',
    gross_rate_unit,
    currency: 'USD',
    ...(buy_type === 'audience_guaranteed' ? { guaranteed_impressions: GUARANTEED_IMPRESSIONS, audience_code: AUDIENCE } : {}),
  }
}

function availsOf(habit: Habit, { start, end }: Season, today: IsoDate): Avail[] {
  const { product_id, grains = ['week'], buy_type } = habit
  const count = buy_type === 'audience_guaranteed' ? { units: { available: 500 } } : { spots: { available: 500 } }
  const entry = (period: Avail['period']): Avail => ({ product_id, period, state: 'available', ...count })
  if (!grains.includes('week')) {
    return [...Array(DAYS_AHEAD).keys()].map((days) => entry({ grain: 'day', start: addDays(mondayOfDate(today), days) }))
  }
  return weeksBetween(start, end).map((week) => entry({ grain: 'week', start: week }))
}

/** Returns the avails with which a request for avails of a period is answered. */
export function answeredAvails(product_id: string, period: Avail['period']): { avails: Avail[] } {
  return { avails: [{ product_id, period, state: 'available', spots: { available: 500 } }] }
}

/**
 * Returns the card that moves the price of a product in these weeks. The name of its commit has the time (epoch milliseconds), since other weeks, and a
 * later season, may have had the same price.
 */
export function repricedCard(habit: Habit, weeks: readonly string[], price: number, at: number): Inventory['rateCard'] {
  const dates = weeks.flatMap(datesOfWeek).sort()
  const effective = { start: dates[0] ?? '', end: dates.at(-1) ?? '' }
  return {
    commit: `${habit.product_id}-${price}-${at.toString(36)}`,
    effective,
    entries: weeks.map((week) => ({ ...priceOf(habit, price), week })),
  }
}
