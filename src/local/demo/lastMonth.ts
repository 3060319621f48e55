import type { CreateOrder } from '../../contract/createOrder.ts'
import {
  addDays,
  broadcastMonthOf,
  dateOf,
  datesOfPeriod,
  type Instant,
  type IsoDate,
  mondayOfDate,
  weekOf,
} from '../../domain/calendar.ts'
import { clearsAt } from '../../domain/settlement/clearsAt.ts'
import { SAMPLE_NEWS } from '../../sdk/dropClient/sampleProducts.ts'
import type { Entry } from '../../sdk/dropClient/writeDropFile.ts'
import { eachVariance } from '../sandbox/eachVariance.ts'

/** A station's sales, airings and bills in the last closed broadcast month, with one variance of each kind of docs/sell/reconciliation.md. */
export interface LastMonth {
  readonly month: string
  /** The first week of the month. */
  readonly week: string
  /** The dates from the Monday of that week to the Monday after it. */
  readonly dates: readonly IsoDate[]
}

const PRODUCT = 'lks-early-prime'
const NETWORK = 'Lakeshore 28'
const PRICE = 4_200
const LENGTH = 30

/** The creative that the order names. */
export const COPY = { creative_code: 'HBHW0012000H', name: 'Harbor Hardware spring sale', length_seconds: LENGTH }

export function lastMonth(now: Instant): LastMonth {
  let month = broadcastMonthOf(dateOf(now))
  while (clearsAt(month) > now) month = broadcastMonthOf(addDays(firstMonday(month), -1))
  const first = firstMonday(month)
  return { month, week: weekOf(first), dates: [0, 1, 2, 3, 4, 5, 6, 7].map((day) => addDays(first, day)) }
}

/** Returns the first day of a broadcast month: the Monday of the week in which the calendar month begins. */
function firstMonday(month: string): IsoDate {
  return mondayOfDate(datesOfPeriod('month', month).first)
}

/** Returns the bodies with which the station publishes its products. */
export function catalogOf({ month, week }: LastMonth) {
  const effective = { start: firstMonday(month), end: datesOfPeriod('month', month).last }
  // The product stays on sale after the month, since a product that is no longer sold takes no orders and is hidden from buyers.
  const sold = { start: effective.start, end: '2099-12-31' }
  const definition = { ...SAMPLE_NEWS.definition, selling_title: 'Early Prime', days: ['Mon', 'Wed', 'Fri'], start: '19:00', end: '22:00' }
  const rate = { market_class: 'scatter', advertiser_class: 'general', spot_length: LENGTH, buy_type: 'preemptible' }
  return {
    catalog: {
      taxonomy_version: 'lakeshore-1',
      products: [
        {
          ...SAMPLE_NEWS,
          product_id: PRODUCT,
          name: 'Lakeshore Early Prime',
          network: NETWORK,
          definition,
          effective: sold,
          buy_types: ['preemptible'],
        },
      ],
    },
    rateCard: {
      commit: `lakeshore-${month}`,
      effective,
      entries: [{ product_id: PRODUCT, ...rate, gross_rate_unit: PRICE, currency: 'USD' }],
    },
    avails: { avails: [{ product_id: PRODUCT, period: { grain: 'week', start: week }, state: 'available', spots: { available: 40 } }] },
  }
}

/** Returns an order of twelve units: four spots each on Monday, Wednesday and Friday. */
export function orderOfMonth(
  { week, dates }: LastMonth,
  { creative_id, ...more }: Pick<CreateOrder, 'seller' | 'rate_version' | 'agreement_id'> & { creative_id: string },
): CreateOrder {
  return {
    ...more,
    external_order_id: 'FRESH_FOR_EVERY_ORDER',
    buyer_metadata: { advertiser_id: 'adv-harbor-hardware', estimate_id: 'EST-31206' },
    flight: { start: dates[0] ?? '', end: dates[6] ?? '' },
    line_items: [
      {
        product_id: PRODUCT,
        period: { grain: 'week', start: week },
        units: 12,
        spot_length: LENGTH,
        creative_id,
        rate: {
          market_class: 'scatter',
          advertiser_class: 'general',
          buy_type: 'preemptible',
          unit_cost: PRICE,
          locked_rate_id: 'TAKEN_FROM_THE_AVAILS_READ',
          currency: 'USD',
        },
      },
    ],
  }
}

/** Returns the rows of the station's log and invoice, which name the order and its line. */
export function sentOf({ dates }: LastMonth, order_id: string, unit_id: string): { log: Entry[]; invoice: Entry[] } {
  return eachVariance({
    ...{ order_id, unit_id, network: NETWORK, monday: dates[0] ?? '', spot_length: LENGTH },
    isci: { ordered: COPY.creative_code, other: 'HBHW0044000H' },
    ...{ price: PRICE, over: 300, currency: 'USD', invoice_number: `L-${order_id.slice(-8)}` },
  })
}
