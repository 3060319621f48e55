import type { AvailRate, AvailsRead } from '../../contract/avail.ts'
import type { ConfirmOrder } from '../../contract/confirmOrder.ts'
import type { CreateOrder } from '../../contract/createOrder.ts'
import type { DecideOrder } from '../../contract/decideOrder.ts'
import type { DocumentParse } from '../../contract/documentParse.ts'
import type { LineItem } from '../../contract/lineItem.ts'
import type { Period } from '../../contract/scalars.ts'
import { weeksOfPeriod } from '../../domain/calendar.ts'
import { DemoFault } from './demoFault.ts'

type AvailEntry = AvailsRead['avails'][number]

/** The avail and the published price that a line of the order cites. */
export interface CitedRate {
  avail: AvailEntry
  rate: AvailRate
}

/** Returns the weeks that the order's lines cover, in the form that a read of avails takes: `2027-W05..2027-W08`. */
export function weeksOfOrder({ line_items = [] }: CreateOrder): string {
  const weeks = line_items.flatMap(({ period }) => weeksOfPeriod(period.grain, period.start)).sort()
  return `${weeks[0]}..${weeks.at(-1)}`
}

/** Finds the avail and price that each line cites in a read of avails, in the order of the lines. */
export function citedRates({ line_items = [] }: CreateOrder, { avails }: AvailsRead): CitedRate[] {
  return line_items.map((line) => {
    const ofProduct = avails.filter(({ product_id }) => product_id === line.product_id)
    const [firstWeek = ''] = weeksOfPeriod(line.period.grain, line.period.start)
    const avail = entryOf(ofProduct, line.period) ?? entryOf(ofProduct, { grain: 'week', start: firstWeek })
    const rate = avail?.rates.find((published) => prices(published, line))
    if (avail === undefined || rate === undefined) {
      throw new DemoFault(`${line.product_id} has no price for ${line.spot_length} s ${line.rate.buy_type} in ${line.period.start}.`)
    }
    return { avail, rate }
  })
}

/** Completes the example order for sending: sets a new id, and on each line the locked_rate_id of its price. */
export function fillOrder(order: CreateOrder, cited: readonly CitedRate[], externalOrderId: string): CreateOrder {
  const line_items = (order.line_items ?? []).map((line, index) => {
    const locked_rate_id = cited[index]?.rate.locked_rate_id ?? line.rate.locked_rate_id
    return { ...line, rate: { ...line.rate, locked_rate_id } }
  })
  return { ...order, external_order_id: externalOrderId, line_items }
}

/** Completes the example counter for sending: its entries name the lines of the order, in their order. */
export function fillCounter(counter: DecideOrder, unitIds: readonly string[]): DecideOrder {
  return { ...counter, units: (counter.units ?? []).map((entry, index) => ({ ...entry, unit_id: unitIds[index] ?? entry.unit_id })) }
}

/** Completes the example confirm for sending: each resolution takes the published price of its line. */
export function fillConfirm(request: ConfirmOrder, { unresolved }: Pick<DocumentParse, 'unresolved'>): ConfirmOrder {
  const resolutions = (request.resolutions ?? []).map((resolution) => {
    const published = unresolved.find(({ line, field }) => line === resolution.line && field === 'rate')?.published[0]
    return { ...resolution, locked_rate_id: String(published?.locked_rate_id ?? resolution.locked_rate_id) }
  })
  return { ...request, resolutions }
}

function entryOf(avails: readonly AvailEntry[], { grain, start }: Period): AvailEntry | undefined {
  return avails.find(({ period }) => period.grain === grain && period.start === start)
}

function prices(published: AvailRate, { spot_length, rate }: LineItem): boolean {
  return (
    published.spot_length === spot_length &&
    published.buy_type === rate.buy_type &&
    published.market_class === rate.market_class &&
    published.advertiser_class === rate.advertiser_class &&
    published.clearance_tier === rate.clearance_tier
  )
}
