import type { OrderSnapshot } from '../../contract/order.ts'
import type { Operations } from '../../sdk/ownClient.ts'
import { airDate, amount, count, flow, line, lineAmount, periodText, price, table } from './story.ts'

/** Prints the data that the buyer can read after the seller has decided. */
export async function tellOutcome(orderId: string, asBuyer: Operations): Promise<void> {
  const { events } = (await asBuyer.replayEvents({ query: { order: orderId, after_seq: 0 } })).body
  line(`GET /v1/events?order=${orderId}&after_seq=0`)
  table(
    ['seq', 'event', 'at', 'decided by'],
    events.map(({ seq, status, prior_status, occurred_at, decision_record: decided }) => [
      String(seq),
      prior_status === null ? status : `${prior_status} -> ${status}`,
      occurred_at,
      decided === undefined ? '' : `${decided.actor} (${decided.decision}, gate ${decided.gate})`,
    ]),
    ['seq'],
  )
  const order = (await asBuyer.getOrder({ path: { order_id: orderId } })).body
  line()
  line(`GET /v1/orders/${orderId}   ${order.status}, last_seq ${order.last_seq}`)
  tellLines(order)
  tellReceipt(order)
}

function tellLines({ line_items, totals }: OrderSnapshot): void {
  const rows = line_items.map(({ product_id, network, period, spot_length, units, num_accepted, status, rate }) => [
    product_id,
    network,
    periodText(period),
    `${spot_length} s`,
    `${num_accepted} of ${units}`,
    status,
    price(rate),
    amount(lineAmount(rate, num_accepted), rate.currency),
  ])
  const impressions = Object.entries(totals.impressions ?? {}).map(([code, number]) => `${count(number)} ${code}`)
  rows.push(['total', '', '', '', '', '', impressions.join(', '), amount(totals.gross, totals.currency)])
  table(['line', 'network', 'period', 'spot', 'units', 'status', 'price', 'gross'], rows, ['spot', 'units', 'price', 'gross'])
}

function tellReceipt({ artifacts, line_items }: OrderSnapshot): void {
  const receipt = artifacts.find((artifact) => artifact.name === 'placement_receipt')
  if (receipt === undefined) return
  line()
  line(`placement_receipt of seq ${receipt.seq}, seller_order_id ${receipt.seller_order_id}, placed_at ${receipt.placed_at}: the air dates`)
  for (const { unit_id, product_id, period } of line_items) {
    const dates = receipt.daylocks.filter((daylock) => daylock.unit_id === unit_id)
    if (dates.length === 0) continue
    line(`${unit_id}  ${product_id}, ${periodText(period)}`)
    flow('   ', dates.map(airDate))
  }
}
