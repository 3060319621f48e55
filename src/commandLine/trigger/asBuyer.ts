import { randomUUID } from 'node:crypto'
import type { Client, CreateOrder, Order } from '../../../client/src/index.ts'
import { addDays, dateOf, weekOf } from '../../domain/calendar.ts'
import { RefusedFault } from '../exits.ts'
import type { Outcome } from './outcome.ts'

/** The seller of the test inventory, whose products say what becomes of an order (docs/buy/sandbox.md). */
const SELLER = 'sandbox-tv'

/** A seller decides on weeks that are not too near. */
const LEAD_DAYS = 14

/** What a buyer can make happen. */
export const AS_BUYER: Readonly<Record<string, Outcome>> = {
  seller_review: { about: 'an order that is never decided', status: 'seller_review', begin: ordering('sbx-silent') },
  placed: { about: 'an order that is accepted', status: 'placed', begin: ordering('sbx-approved') },
  rejected: { about: 'an order that is rejected with a reason', status: 'rejected', begin: ordering('sbx-rejected') },
  negotiating: { about: 'an order with a counter, for orders respond', status: 'negotiating', begin: ordering('sbx-countered') },
  quote_lapsed: {
    ...{ about: 'an order whose quote has ended', status: 'negotiating', substatus: 'quote_lapsed', begin: ordering('sbx-countered') },
    step: at('negotiating', ({ operations }, { order_id }) => operations.elapseDeadline({ path: { order_id }, body: { what: 'quote' } })),
  },
  failed: { about: 'an order that is sold out when it is validated', status: 'failed', begin: ordering('sbx-sold-out') },
  stale_rate: { about: 'an order whose price has moved when it is validated', status: 'failed', begin: ordering('sbx-repriced') },
  needs_confirmation: {
    about: 'a request that is answered with a plan, for orders confirm',
    status: 'needs_confirmation',
    begin: requesting,
  },
  canceled: {
    ...{ about: 'an order that you cancel', status: 'canceled', begin: ordering('sbx-silent') },
    step: at('seller_review', ({ operations }, { order_id }) =>
      operations.cancelOrder({ path: { order_id }, body: { reason: 'trigger' } }),
    ),
  },
}

function at(status: string, act: (client: Client, order: Order) => Promise<unknown>): NonNullable<Outcome['step']> {
  return async (client, order) => {
    if (order.status !== status) return false
    await act(client, order)
    return true
  }
}

function ordering(product_id: string): Outcome['begin'] {
  return async (client) => {
    const { operations } = client
    const { avails } = (await operations.getAvails({ path: { seller: SELLER }, query: { product_id } })).body
    const soon = weekOf(addDays(dateOf(new Date().toISOString()), LEAD_DAYS))
    const avail = avails.find(({ period, rates }) => period.grain === 'week' && period.start >= soon && rates.length > 0)
    const rate = avail?.rates[0]
    if (avail === undefined || rate === undefined)
      throw new RefusedFault(`${SELLER} has no price of ${product_id}: does the sandbox play its sellers?`)
    const { locked_rate_id, market_class, advertiser_class, buy_type, currency, gross_rate_unit, gross_rate_cpm } = rate
    const cost = gross_rate_unit === undefined ? { cpm: gross_rate_cpm } : { unit_cost: gross_rate_unit }
    const cited = { locked_rate_id, market_class, advertiser_class, buy_type, currency, ...cost }
    return place(client, { line_items: [{ product_id, period: avail.period, units: 2, spot_length: rate.spot_length, rate: cited }] })
  }
}

async function requesting(client: Client): Promise<string> {
  return place(client, {
    request: { request_type: 'open', budget_gross: 20_000, brief: 'A plan to confirm.', anchor_package_ids: ['sbx-plan'] },
  })
}

async function place(client: Client, what: object): Promise<string> {
  const { rate_version } = (await client.operations.getCatalog({ path: { seller: SELLER } })).body
  const head = { seller: SELLER, external_order_id: `trigger-${randomUUID()}`, rate_version: rate_version ?? 'none' }
  const order = { ...head, buyer_metadata: { advertiser_id: 'trigger' }, ...what }
  return (await client.createOrder(order as CreateOrder)).order_id
}
