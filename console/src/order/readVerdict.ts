import type { QueryClient } from '@tanstack/react-query'
import { serverNow } from '../api/clock.ts'
import { creditRead } from '../api/queries/agreements.ts'
import { orderRead } from '../api/queries/orders.ts'
import { type CardPrice, cardRead } from '../api/queries/prices.ts'
import { type Avail, ownAvails } from '../api/queries/publishing.ts'
import { pricedWeek, weeksAround } from './cardWeeks.ts'
import { priceOf } from './useCard.ts'
import { MAX_PRODUCTS } from './useKnownLines.ts'
import { type KnownLine, type Point, verdictOf } from './verdict.ts'

const FRESH_MS = 60_000

interface Published {
  readonly prices: readonly CardPrice[]
  readonly avails: readonly Avail[]
}

/** Reads what an order is judged by, and returns its verdict; empty if it is too large for one. */
export async function readVerdict(client: QueryClient, orderId: string): Promise<Point[]> {
  const order = await client.fetchQuery(orderRead('seller', orderId))
  const asks = order.line_items.filter((line) => line.in_response_to === undefined)
  const products = [...new Set(asks.map(({ product_id }) => product_id))]
  if (products.length === 0 || products.length > MAX_PRODUCTS) return []
  const published = new Map(
    await Promise.all(
      products.map(async (product): Promise<[string, Published]> => {
        const weeks = weeksAround(order, product)
        if (weeks === undefined) return [product, { prices: [], avails: [] }]
        const question = { side: 'seller' as const, seller: order.seller, product, weeks }
        const [prices, avails] = await Promise.all([
          client.fetchQuery({ ...cardRead(question), staleTime: FRESH_MS }),
          client.fetchQuery({ ...ownAvails(weeks, product), staleTime: FRESH_MS }),
        ])
        return [product, { prices, avails }]
      }),
    ),
  )
  const known = asks.map((line): KnownLine => {
    const { prices = [], avails = [] } = published.get(line.product_id) ?? {}
    const week = pricedWeek(line)
    const card = week === undefined ? undefined : (priceOf(prices, order, line, week) ?? null)
    const avail = avails.find(({ period }) => period.grain === line.period.grain && period.start === line.period.start)
    return { line, card, avail: avail ?? null }
  })
  const { agreement_id, settlement_mode } = order
  const isDrawn = settlement_mode === 'cleared' && agreement_id !== undefined
  const credit = isDrawn ? await client.fetchQuery({ ...creditRead('seller', agreement_id), staleTime: FRESH_MS }) : undefined
  return verdictOf(order, known, credit, serverNow())
}
