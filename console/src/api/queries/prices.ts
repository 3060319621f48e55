import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'
import { resultOf } from '../fault.ts'
import type { components } from '../schema.d.ts'
import type { Side } from './orders.ts'
import { availsRead } from './sellers.ts'

type Schemas = components['schemas']
type Rate = Schemas['RatesRead']['rates'][number]
/** A published price of a product in one week. */
export type CardPrice = Pick<
  Rate,
  'locked_rate_id' | 'week' | 'spot_length' | 'buy_type' | 'market_class' | 'advertiser_class' | 'currency'
> & {
  readonly clearance_tier?: string
  readonly agreement_id?: string
  readonly unit_cost?: number
  readonly cpm?: number
}

export interface CardQuestion {
  readonly side: Side
  readonly seller: string
  readonly product: string
  /** A range of ISO weeks: `2027-W04..2027-W12`. */
  readonly weeks: string
  readonly agreement?: string | undefined
}

const PAGE = 1_000
const PAGES = 5

/** The published prices of a product: the seller's prices in force, or the prices that the buyer can cite. */
export function cardRead(question: CardQuestion) {
  const { side, seller, product, weeks, agreement } = question
  return queryOptions({
    queryKey: ['card', seller, product, weeks, side, agreement ?? ''] as const,
    queryFn: ({ client, signal }) => (side === 'seller' ? ownRates(product, weeks, signal) : visiblePrices(client, question)),
    retry: false,
  })
}

async function ownRates(product_id: string, weeks: string, signal: AbortSignal): Promise<CardPrice[]> {
  const rates: Rate[] = []
  let cursor: string | undefined
  for (let page = 0; page < PAGES; page += 1) {
    const query = { product_id, weeks, limit: PAGE, ...(cursor !== undefined && { cursor }) }
    const { data } = await resultOf(api.GET('/me/rates', { params: { query }, signal }))
    rates.push(...data.rates)
    if (data.next_cursor === null) break
    cursor = data.next_cursor
  }
  return rates.map((rate) => ({ ...rate, ...costOf(rate) }))
}

async function visiblePrices(client: QueryClient, { seller, product, weeks, agreement = '' }: CardQuestion): Promise<CardPrice[]> {
  const avails = await client.fetchQuery(availsRead({ seller, product, weeks, agreement }))
  return avails.flatMap(({ period, rates }) =>
    period.grain === 'week' ? rates.map((rate) => ({ ...rate, week: period.start, ...costOf(rate) })) : [],
  )
}

function costOf({ gross_rate_unit, gross_rate_cpm }: Pick<Rate, 'gross_rate_unit' | 'gross_rate_cpm'>) {
  return {
    ...(gross_rate_unit !== undefined && { unit_cost: gross_rate_unit }),
    ...(gross_rate_cpm !== undefined && { cpm: gross_rate_cpm }),
  }
}
