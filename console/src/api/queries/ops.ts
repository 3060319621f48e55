import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'
import { resultOf } from '../fault.ts'
import type { components } from '../schema.d.ts'

type Schemas = components['schemas']
export type OpsOrder = Schemas['OpsOrder']
export type OpsEndpoint = Schemas['OpsEndpoint']
export type OpsDrop = Schemas['OpsDrop']
export type OpsConnection = Schemas['OpsConnection']
export type OpsHealth = Schemas['OpsHealth']
export type OpsMail = Schemas['OpsMail']
export type OpsDelivery = Schemas['Delivery']

/** Operators have no feed, so their data is polled: the few figures of health often, so that the console says within 15 s what is away. */
const EVERY_MS = 10_000
const HEALTH_EVERY_MS = 3_000
const PAGE = 100

const paged = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next_cursor }: { next_cursor: string | null }) => next_cursor ?? undefined,
  refetchInterval: EVERY_MS,
}
const at = (cursor: string | undefined) => ({ limit: PAGE, ...(cursor !== undefined && { cursor }) })

/** The backlogs with their ages, the workers and Temporal. */
export const opsHealth = queryOptions({
  queryKey: ['ops', 'health'] as const,
  queryFn: async ({ signal }) => (await resultOf(api.GET('/ops/health', { signal }))).data,
  refetchInterval: HEALTH_EVERY_MS,
})

/** Orders of all tenants that need attention, or only the order with a given id. */
export function opsOrders(filter: { state: 'open' | 'stuck' | 'overdue'; reason?: string; order_id?: string }) {
  return infiniteQueryOptions({
    ...paged,
    queryKey: ['ops', 'orders', filter] as const,
    queryFn: async ({ pageParam, signal }) =>
      (await resultOf(api.GET('/ops/orders', { params: { query: { ...filter, ...at(pageParam) } }, signal }))).data,
  })
}

/** One order of any tenant, with its timeline. */
export function opsOrder(orderId: string) {
  return queryOptions({
    queryKey: ['ops', 'order', orderId] as const,
    queryFn: async ({ signal }) =>
      (await resultOf(api.GET('/ops/orders/{order_id}', { params: { path: { order_id: orderId } }, signal }))).data,
    refetchInterval: EVERY_MS,
  })
}

/** Webhook endpoints whose deliveries are waiting or failing. */
export const opsEndpoints = infiniteQueryOptions({
  ...paged,
  queryKey: ['ops', 'deliveries'] as const,
  queryFn: async ({ pageParam, signal }) => (await resultOf(api.GET('/ops/deliveries', { params: { query: at(pageParam) }, signal }))).data,
})

/** The deliveries of one endpoint, newest first. */
export function opsDeliveries(endpointId: string) {
  return infiniteQueryOptions({
    ...paged,
    queryKey: ['ops', 'deliveries', endpointId] as const,
    queryFn: async ({ pageParam, signal }) => {
      const params = { path: { endpoint_id: endpointId }, query: at(pageParam) }
      return (await resultOf(api.GET('/ops/deliveries/{endpoint_id}', { params, signal }))).data
    },
  })
}

export function opsDrops(state: 'processing' | 'faulty' | undefined) {
  return infiniteQueryOptions({
    ...paged,
    queryKey: ['ops', 'drops', state ?? 'all'] as const,
    queryFn: async ({ pageParam, signal }) =>
      (await resultOf(api.GET('/ops/drops', { params: { query: { ...(state && { state }), ...at(pageParam) } }, signal }))).data,
  })
}

/** Order mails that are not sent yet, or that did not arrive. */
export function opsMails(state: 'waiting' | 'failed') {
  return infiniteQueryOptions({
    ...paged,
    queryKey: ['ops', 'mails', state] as const,
    queryFn: async ({ pageParam, signal }) =>
      (await resultOf(api.GET('/ops/mails', { params: { query: { state, ...at(pageParam) } }, signal }))).data,
  })
}

/** Sellers' own APIs. */
export const opsConnections = infiniteQueryOptions({
  ...paged,
  queryKey: ['ops', 'connections'] as const,
  queryFn: async ({ pageParam, signal }) =>
    (await resultOf(api.GET('/ops/connections', { params: { query: at(pageParam) }, signal }))).data,
})

/** Makes the run of an order check the order again. */
export async function wakeOrder(orderId: string) {
  return (await resultOf(api.POST('/ops/orders/{order_id}/wake', { params: { path: { order_id: orderId } } }))).data
}

export async function resendDelivery(endpointId: string, deliveryId: string) {
  const path = { endpoint_id: endpointId, delivery_id: deliveryId }
  return (await resultOf(api.POST('/ops/deliveries/{endpoint_id}/{delivery_id}/resend', { params: { path } }))).data
}
