import { queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'
import { resultOf } from '../fault.ts'
import type { components } from '../schema.d.ts'

type Schemas = components['schemas']
export type CreateOrder = Schemas['CreateOrder']
export type OrderPreview = Schemas['OrderPreview']

/** The API's preview of an unsent order: its totals and warnings, or all its faults. */
export function orderPreview(text: string) {
  return queryOptions({
    queryKey: ['preview', text] as const,
    queryFn: async ({ signal }) => (await resultOf(api.POST('/orders/preview', { ...asText(text), signal }))).data,
  })
}

/** Places an order. The API answers the same bytes with the stored outcome, so a text whose reply was lost can be sent again. */
export async function createOrder(text: string) {
  const { data } = await resultOf(api.POST('/orders', asText(text)))
  if (!('order_id' in data)) throw new Error('a create was answered as a dry run')
  return data
}

/** The advertisers of the buyer's latest orders, as suggestions. */
export const recentAdvertisers = queryOptions({
  queryKey: ['orders', 'buyer', 'advertisers'] as const,
  queryFn: async ({ signal }) => {
    const { orders } = (await resultOf(api.GET('/orders', { params: { query: { limit: 100 } }, signal }))).data
    return [...new Set(orders.map(({ buyer_metadata }) => buyer_metadata.advertiser_id))].sort()
  },
})

function asText(text: string) {
  return { body: JSON.parse(text) as CreateOrder, bodySerializer: () => text }
}
