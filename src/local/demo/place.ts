import { randomBytes } from 'node:crypto'
import type { CreateOrder, OrderCreated } from '../../contract/createOrder.ts'
import type { Operations } from '../../sdk/ownClient.ts'
import { type CitedRate, citedRates, weeksOfOrder } from './fillOrder.ts'
import { count, line, periodText, price, table } from './story.ts'

/** Returns an id that no earlier run has used, since the platform would take an order with the same id for the same order. */
export function freshId(): string {
  return `demo-${new Date().toISOString().slice(0, 19)}-${randomBytes(2).toString('hex')}`
}

/** Reads and prints the avails that the lines of the order cite. */
export async function readAvails(order: CreateOrder, asBuyer: Operations): Promise<CitedRate[]> {
  const { seller } = order
  const weeks = weeksOfOrder(order)
  const read = (await asBuyer.getAvails({ path: { seller }, query: { weeks } })).body
  const cited = citedRates(order, read)
  line(`GET /v1/sellers/${seller}/avails?weeks=${weeks}   ${read.avails.length} entries; of these the order cites`)
  const rows = cited.map(({ avail: { product_id, period, spots, units, sellout_level }, rate }) => [
    product_id,
    periodText(period),
    spots !== undefined ? `${count(spots.available)} spots` : units !== undefined ? `${count(units.available)} units` : '',
    sellout_level === undefined ? '' : `${Math.round(sellout_level * 100)} %`,
    `${rate.spot_length} s`,
    price({ unit_cost: rate.gross_rate_unit, cpm: rate.gross_rate_cpm }),
    rate.locked_rate_id,
  ])
  table(['product', 'period', 'left', 'sold', 'spot', 'price', 'locked_rate_id'], rows, ['left', 'sold', 'spot', 'price'])
  return cited
}

export async function createOrder(order: CreateOrder, asBuyer: Operations): Promise<OrderCreated> {
  const { status, body } = await asBuyer.createOrder({ body: order })
  line(`POST /v1/orders   ${status}, ${body.status}`)
  table(
    ['order_id', 'external_order_id', 'buyer_entity', 'lines', 'created_at'],
    [[body.order_id, body.external_order_id, body.buyer_entity, String(order.line_items?.length ?? 0), body.created_at]],
  )
  for (const warning of body.warnings ?? [])
    line(`Warning ${warning.code}: ${'dates' in warning ? `${warning.product_id} on ${warning.dates.join(', ')}` : warning.pointer}`)
  return body
}
