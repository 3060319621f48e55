import type { CreateOrder } from '../contract/createOrder.ts'
import { addDays, broadcastMonthOf, dateOf, datesOfPeriod, type Instant, type IsoDate, mondayOfDate, weekOf } from '../domain/calendar.ts'
import { clearsAt } from '../domain/settlement/clearsAt.ts'
import { SAMPLE_NEWS } from '../dropClient/sampleProducts.ts'
import type { Entry } from '../dropClient/writeDropFile.ts'

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

/** A spot in the station's log and invoice; by default it aired and was billed at its price. */
interface SentSpot {
  /** The number of days after the Monday of the week. */
  readonly day: number
  readonly air_time: string
  readonly spot_length?: number
  readonly isci?: string
  readonly rate?: number
  /** The reason why it did not air. */
  readonly preempted?: string
  readonly isLogged?: false
  readonly isBilled?: false
  /** The day of the spot that this makegood replaces. */
  readonly makesGood?: number
}

const SENT: readonly SentSpot[] = [
  { day: 0, air_time: '19:12:30', rate: 4_500 },
  { day: 0, air_time: '20:10:00' },
  { day: 0, air_time: '21:41:15', isBilled: false },
  { day: 0, air_time: '22:41:00' },
  { day: 2, air_time: '19:20:00' },
  { day: 2, air_time: '20:33:45', spot_length: 15 },
  { day: 2, air_time: '21:15:00', isci: 'HBHW0044000H' },
  { day: 2, air_time: '21:50:00', preempted: 'Breaking news', isBilled: false },
  { day: 4, air_time: '19:30:00' },
  { day: 4, air_time: '21:30:00', isLogged: false },
  { day: 5, air_time: '20:40:00', makesGood: 4 },
  { day: 6, air_time: '20:05:00' },
  { day: 7, air_time: '20:05:00' },
  { day: 7, air_time: '20:05:30' },
]

/** Returns the rows of the station's log and invoice, which name the order and its line. */
export function sentOf({ month, dates }: LastMonth, order_id: string, unit_id: string): { log: Entry[]; invoice: Entry[] } {
  const rowOf = ({ day, air_time, spot_length = LENGTH, isci = COPY.creative_code, makesGood }: SentSpot) => ({
    ...{ order_id, unit_id, network: NETWORK, air_date: dates[day] ?? '', air_time, spot_length, isci },
    ...(makesGood === undefined ? {} : { makegood_for_unit_id: unit_id, makegood_for_date: dates[makesGood] ?? '' }),
  })
  const statusOf = ({ preempted }: SentSpot) => (preempted === undefined ? { status: 'Aired' } : { status: 'Preempted', reason: preempted })
  const invoice_date = addDays(datesOfPeriod('month', month).last, 1)
  const head = { invoice_number: `L-${order_id.slice(-8)}`, invoice_date, broadcast_month: month, currency: 'USD', run_code: 'Y' }
  return {
    log: SENT.filter(({ isLogged }) => isLogged !== false).map((spot) => ({
      ...{ record_type: 'as_run', ...rowOf(spot), ...statusOf(spot), log_id: order_id },
    })),
    invoice: SENT.filter(({ isBilled }) => isBilled !== false).map((spot) => ({
      ...{ record_type: 'invoice', ...rowOf(spot), ...head, rate: spot.rate ?? PRICE },
    })),
  }
}
