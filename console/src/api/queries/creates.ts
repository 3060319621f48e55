import { queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'
import { resultOf } from '../fault.ts'
import type { components } from '../schema.d.ts'

type Schemas = components['schemas']
export type CreateOrder = Schemas['CreateOrder']
export type OrderPreview = Schemas['OrderPreview']

/** What the API makes of an order that is not sent yet: totals and warnings, or every fault. */
export function orderPreview(text: string) {
  return queryOptions({
    queryKey: ['preview', text] as const,
    queryFn: async ({ signal }) => (await resultOf(api.POST('/orders/preview', { ...asText(text), signal }))).data,
  })
}

/** Places an order. The same bytes are answered with the stored outcome, so a text whose reply was lost may be sent again. */
export async function placeOrder(text: string) {
  return (await resultOf(api.POST('/orders', asText(text)))).data
}

/** The advertisers of the buyer's latest orders, to choose from. */
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
