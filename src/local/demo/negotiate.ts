import type { CreateOrder } from '../../contract/createOrder.ts'
import type { DecideOrder } from '../../contract/decideOrder.ts'
import type { RespondOrder } from '../../contract/respondOrder.ts'
import type { Operations } from '../../sdk/ownClient.ts'
import { example } from './examples.ts'
import { feedCursor, untilReviewed } from './feed.ts'
import { fillCounter, fillOrder } from './fillOrder.ts'
import { tellOutcome } from './outcome.ts'
import { createOrder, freshId, readAvails } from './place.ts'
import type { Progress } from './progress.ts'
import { amount, heading, line, periodText, price, table } from './story.ts'

interface Negotiation {
  asBuyer: Operations
  asSeller: Operations
  progress: Progress
  signal: AbortSignal
}

/** Negotiates a second order: the seller counters one line with a quote for this buyer alone, and the buyer accepts. */
export async function negotiate({ asBuyer, asSeller, progress, signal }: Negotiation): Promise<void> {
  const order = JSON.parse(await example('negotiated-order')) as CreateOrder
  heading('10  The buyer orders again, in a week that is in demand')
  const cited = await readAvails(order, asBuyer)
  const after = await progress.during('Reading the event feed to its end', feedCursor(asBuyer))
  const { order_id } = await createOrder(fillOrder(order, cited, freshId()), asBuyer)
  await progress.during('Waiting for seller_review in the event feed', untilReviewed({ asBuyer, orderId: order_id, after, signal }))

  heading(`11  ${order.seller} counters one line with another week and price, and takes the other as asked`)
  await counter(order_id, asSeller)
  await tellCounter(order_id, asBuyer)

  heading('12  The buyer accepts: the counter is booked at its quote, the line that it answers is not')
  const answer = await example('respond')
  const { action, actor } = JSON.parse(answer) as RespondOrder
  const { status, body } = await asBuyer.respondOrder({ path: { order_id }, body: answer })
  line(`POST /v1/orders/${order_id}/respond   ${action} by ${actor}`)
  line(`   ${status}, ${body.status}: this answer accepted ${body.units_accepted} line and rejected ${body.units_rejected}`)
  await tellOutcome(order_id, asBuyer)
}

async function counter(orderId: string, asSeller: Operations): Promise<void> {
  const { line_items } = (await asSeller.getReceivedOrder({ path: { order_id: orderId } })).body
  const request = JSON.parse(await example('counter')) as DecideOrder
  const filled = fillCounter(
    request,
    line_items.map(({ unit_id }) => unit_id),
  )
  const { status, body } = await asSeller.decideOrder({ path: { order_id: orderId }, body: filled })
  line(`POST /v1/me/orders/${orderId}/decide   ${request.decision} by ${request.actor}: ${request.reason}`)
  line(
    `   ${status}, ${body.status}: ${body.units_accepted} line accepted, ${body.units_countered} countered (the ask and its counter), last_seq ${body.last_seq}`,
  )
}

/** Prints the ask and its open counter as the buyer reads them. */
async function tellCounter(orderId: string, asBuyer: Operations): Promise<void> {
  const { line_items, totals, waiting_on } = (await asBuyer.getOrder({ path: { order_id: orderId } })).body
  line(
    `GET /v1/orders/${orderId}   ${amount(totals.gross, totals.currency)} accepted so far; the quote is valid until ${waiting_on?.due_by}`,
  )
  const rows = line_items.map(({ unit_id, in_response_to, period, units, status, rate }) => [
    unit_id,
    periodText(period),
    String(units),
    price(rate),
    status,
    in_response_to ?? '',
  ])
  table(['line', 'period', 'units', 'price', 'status', 'in response to'], rows, ['units', 'price'])
  const quoted = line_items.find(({ in_response_to }) => in_response_to !== undefined)?.rate
  line(`The price ${quoted?.locked_rate_id} is on the seller's card, for this buyer alone.`)
}
