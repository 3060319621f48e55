import { useQueries, useQuery } from '@tanstack/react-query'
import type { Order, OrderLine, Side } from '../api/queries/orders.ts'
import { type CardPrice, cardRead } from '../api/queries/prices.ts'
import { useSession } from '../api/session.ts'
import { pricedWeek, weeksAround } from './cardWeeks.ts'

/** The most products of one order whose cards are read at once. */
const MAX_PRODUCTS = 24

/** The card's price for a line, in the week of its latest counter or ask: undefined while unknown, null when none is published. */
export type CardOf = (line: OrderLine, priced: OrderLine) => CardPrice | null | undefined

/** Reads the published prices of an order's products; a very large order gets those of its active line and its first products. */
export function useCard(order: Order, active: string | undefined): CardOf {
  const side = useSession().side as Side
  const current = order.line_items.find(({ unit_id }) => unit_id === active)?.product_id
  const products = [...new Set([...(current === undefined ? [] : [current]), ...order.line_items.map(({ product_id }) => product_id)])]
  const reads = products.slice(0, MAX_PRODUCTS).flatMap((product) => questionOf(order, side, product) ?? [])
  const results = useQueries({ queries: reads.map(cardRead) })
  const prices = new Map(reads.map(({ product }, index) => [product, results[index]?.data]))
  return (line, priced) => {
    const [published, week] = [prices.get(line.product_id), pricedWeek(priced)]
    return published === undefined || week === undefined ? undefined : (priceOf(published, order, line, week) ?? null)
  }
}

/** Reads the published prices of a line's product in the weeks that a counter may offer. */
export function useProductCard(
  order: Order,
  line: OrderLine,
): { prices: readonly CardPrice[]; weeks: string | undefined; isPending: boolean } {
  const side = useSession().side as Side
  const question = questionOf(order, side, line.product_id)
  const { data = [], isLoading } = useQuery({
    ...cardRead(question ?? { side, seller: order.seller, product: line.product_id, weeks: '' }),
    enabled: question !== undefined,
  })
  return { prices: data, weeks: question?.weeks, isPending: isLoading }
}

/** Returns the published price with the same terms as the line; a price of the order's agreement outranks the open card. */
export function priceOf(prices: readonly CardPrice[], order: Order, { rate, spot_length }: OrderLine, week: string): CardPrice | undefined {
  const quoted = new Set(order.line_items.flatMap((line) => (line.in_response_to === undefined ? [] : [line.rate.locked_rate_id])))
  const same = prices.filter(
    (price) =>
      price.week === week &&
      price.spot_length === spot_length &&
      price.buy_type === rate.buy_type &&
      price.market_class === rate.market_class &&
      price.advertiser_class === rate.advertiser_class &&
      price.clearance_tier === rate.clearance_tier &&
      !quoted.has(price.locked_rate_id),
  )
  return (
    same.find(({ agreement_id }) => agreement_id !== undefined && agreement_id === order.agreement_id) ??
    same.find(({ agreement_id }) => agreement_id === undefined)
  )
}

function questionOf(order: Order, side: Side, product: string) {
  const weeks = weeksAround(order, product)
  if (weeks === undefined) return undefined
  return { side, seller: order.seller, product, weeks, agreement: side === 'buyer' ? order.agreement_id : undefined }
}
