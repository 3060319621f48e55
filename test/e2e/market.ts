import type { z } from 'zod'
import type { Reply } from '../../client/src/index.ts'
import type { AvailsUpdate } from '../../src/contract/avail.ts'
import type { CreateOrder, OrderCreated } from '../../src/contract/createOrder.ts'
import type { CatalogUpdate } from '../../src/contract/product.ts'
import type { RateCardCommit } from '../../src/contract/rateCard.ts'
import type { Operations } from '../../src/sdk/ownClient.ts'

/** A small market: one product, sold by day, week and month and priced for a quarter. */
export interface Market {
  seller: string
  rateVersion: string
  /** locked_rate_id by ISO week. */
  rates: Readonly<Record<string, string>>
}

const PRODUCT = 'prime-access'
const EFFECTIVE = { start: '2029-12-31', end: '2030-03-31' }
const WEEKS = ['2030-W01', '2030-W02', '2030-W03', '2030-W04', '2030-W05', '2030-W06']
const PRICE = 1250.5

/** Publishes the market over the API, and reads it back as a buyer does. */
export async function openMarket(seller: string, asSeller: Operations, asBuyer: Operations): Promise<Market> {
  const commit = '2030-q1'
  await accepted(asSeller.publishCatalog({ body: { taxonomy_version: 'tv-1', products: [product()] } }), 1)
  await accepted(asSeller.publishRateCard({ body: { commit, effective: EFFECTIVE, entries: [entry()] } }), 1)
  await accepted(asSeller.publishAvails({ body: { avails: WEEKS.map(avail) } }), WEEKS.length)
  const { body } = await asBuyer.getAvails({ path: { seller }, query: { product_id: PRODUCT, weeks: WEEKS } })
  const rates = body.avails.flatMap(({ period, rates: [rate] }) =>
    period.grain === 'week' && rate ? [[period.start, rate.locked_rate_id] as const] : [],
  )
  return { seller, rateVersion: commit, rates: Object.fromEntries(rates) }
}

/** Returns an order with the given number of week lines, as the text whose bytes every try sends. */
export function orderBody(market: Market, externalOrderId: string, lines = 2): string {
  const body: CreateOrder = {
    seller: market.seller,
    external_order_id: externalOrderId,
    rate_version: market.rateVersion,
    buyer_metadata: { advertiser_id: 'adv-77', campaign_id: 'spring' },
    line_items: WEEKS.slice(0, lines).map((week, index) => ({
      product_id: PRODUCT,
      period: { grain: 'week', start: week },
      units: 5 + index,
      spot_length: 30,
      rate: {
        market_class: 'scatter',
        advertiser_class: 'standard',
        buy_type: 'preemptible',
        unit_cost: PRICE,
        locked_rate_id: market.rates[week] ?? 'none',
        currency: 'USD',
      },
    })),
  }
  return JSON.stringify(body)
}

export async function place(asBuyer: Operations, body: string): Promise<OrderCreated> {
  return (await asBuyer.createOrder({ body })).body
}

async function accepted(publish: Promise<Reply<{ accepted: number }>>, count: number): Promise<void> {
  const { text, body } = await publish
  if (body.accepted !== count) throw new Error(`A publish was not accepted: ${text}`)
}

function product(): z.input<typeof CatalogUpdate>['products'][number] {
  return {
    product_id: PRODUCT,
    type: 'daypart',
    network: 'Summit One',
    buy_types: ['preemptible'],
    grains: ['day', 'week', 'month'],
    spot_lengths: [30],
    definition: {
      selling_title: 'Prime Access',
      days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'],
      start: '19:00',
      end: '20:00',
      timezone: 'America/New_York',
    },
  }
}

function entry(): z.input<typeof RateCardCommit>['entries'][number] {
  return {
    product_id: PRODUCT,
    market_class: 'scatter',
    advertiser_class: 'standard',
    spot_length: 30,
    buy_type: 'preemptible',
    gross_rate_unit: PRICE,
  }
}

function avail(week: string): z.input<typeof AvailsUpdate>['avails'][number] {
  return { product_id: PRODUCT, period: { grain: 'week', start: week }, state: 'available', spots: { available: 400 } }
}
