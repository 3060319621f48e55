import type { CreateOrder } from '../contract/createOrder.ts'
import { addDays, broadcastMonthOf, dateOf, datesOfPeriod, type Instant, type IsoDate, mondayOfDate, weekOf } from '../domain/calendar.ts'
import { clearsAt } from '../domain/settlement/clearsAt.ts'
import { SAMPLE_NEWS } from '../dropClient/sampleProducts.ts'
import type { Entry } from '../dropClient/writeDropFile.ts'

/** What a station sold, aired and billed in the last broadcast month that has closed: the worked example of docs/reconciliation.md. */
export interface LastMonth {
  readonly month: string
  /** Its first week, Monday to Sunday. */
  readonly week: string
  readonly dates: readonly IsoDate[]
}

const PRODUCT = 'lks-early-prime'
const NETWORK = 'Lakeshore 28'
const PRICE = 4_200

export function lastMonth(now: Instant): LastMonth {
  let month = broadcastMonthOf(dateOf(now))
  while (clearsAt(month) > now) month = broadcastMonthOf(addDays(firstMonday(month), -1))
  const first = firstMonday(month)
  return { month, week: weekOf(first), dates: [0, 1, 2, 3, 4, 5, 6].map((day) => addDays(first, day)) }
}

/** A broadcast month begins on the Monday of the week in which the calendar month does. */
function firstMonday(month: string): IsoDate {
  return mondayOfDate(datesOfPeriod('month', month).first)
}

/** The bodies by which the station publishes what it sold. */
export function catalogOf({ month, week }: LastMonth) {
  const effective = { start: firstMonday(month), end: datesOfPeriod('month', month).last }
  // A product that is no longer sold takes no orders, and a buyer sees nothing of it.
  const sold = { start: effective.start, end: '2099-12-31' }
  const definition = { ...SAMPLE_NEWS.definition, selling_title: 'Early Prime', days: ['Mon', 'Wed', 'Fri'], start: '19:00', end: '22:00' }
  const rate = { market_class: 'scatter', advertiser_class: 'general', spot_length: 30, buy_type: 'preemptible' }
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

/** Eight units, which book three spots on Monday and Wednesday, and two on Friday. */
export function orderOfMonth({ week, dates }: LastMonth, more: Pick<CreateOrder, 'seller' | 'rate_version' | 'agreement_id'>): CreateOrder {
  return {
    ...more,
    external_order_id: 'FRESH_FOR_EVERY_ORDER',
    buyer_metadata: { advertiser_id: 'adv-harbor-hardware', estimate_id: 'EST-31206' },
    flight: { start: dates[0] ?? '', end: dates[6] ?? '' },
    line_items: [
      {
        product_id: PRODUCT,
        period: { grain: 'week', start: week },
        units: 8,
        spot_length: 30,
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

/** The day of the week from 0, the time, and the rate if it is not the price. The spot of Saturday makes one of Friday good; nobody ordered Sunday's. */
const AIRINGS: readonly (readonly [number, string, number?])[] = [
  [0, '19:12:30', 4_500],
  [0, '20:10:00'],
  [0, '21:41:15'],
  [2, '19:20:00'],
  [2, '20:33:45'],
  [2, '22:41:00'],
  [4, '19:30:00'],
  [5, '20:40:00'],
  [6, '20:05:00'],
]

/** The rows of the station's log and of its invoice, which name the order and its line. */
export function sentOf({ month, dates }: LastMonth, order_id: string, unit_id: string): { log: Entry[]; invoice: Entry[] } {
  const aired = AIRINGS.map(([day, air_time]) => ({
    ...{ order_id, unit_id, network: NETWORK, air_date: dates[day] ?? '', air_time, spot_length: 30, isci: 'HBHW0012000H' },
    ...(day === 5 ? { makegood_for_unit_id: unit_id, makegood_for_date: dates[4] ?? '' } : {}),
  }))
  const invoice_date = addDays(datesOfPeriod('month', month).last, 1)
  const head = { invoice_number: `L-${order_id.slice(-8)}`, invoice_date, broadcast_month: month, currency: 'USD', run_code: 'Y' }
  return {
    log: aired.map((row) => ({ record_type: 'as_run', ...row, status: 'Aired', log_id: order_id })),
    invoice: aired.map((row, index) => ({ record_type: 'invoice', ...row, ...head, rate: AIRINGS[index]?.[2] ?? PRICE })),
  }
}
