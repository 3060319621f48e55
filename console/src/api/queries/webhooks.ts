import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'
import { resultOf } from '../fault.ts'
import { nextCursor } from '../pages.ts'
import type { components } from '../schema.d.ts'

type Schemas = components['schemas']
export type Endpoint = Schemas['WebhookEndpoint']
export type Delivery = Schemas['Delivery']
export type DeliveryStatus = Delivery['status']

const PAGE = 100

/** The endpoints of the tenant, oldest first. */
export const endpointList = infiniteQueryOptions({
  queryKey: ['webhooks', 'list'] as const,
  initialPageParam: undefined as string | undefined,
  queryFn: async ({ pageParam, signal }) => {
    const query = { limit: PAGE, ...(pageParam !== undefined && { cursor: pageParam }) }
    return (await resultOf(api.GET('/webhooks/endpoints', { params: { query }, signal }))).data
  },
  getNextPageParam: nextCursor,
})

export function endpointRead(id: string) {
  return queryOptions({
    queryKey: ['webhooks', id, 'read'] as const,
    queryFn: async ({ signal }) => (await resultOf(api.GET('/webhooks/endpoints/{endpoint_id}', { params: at(id), signal }))).data,
  })
}

/** The deliveries to an endpoint, newest first, with their attempts. */
export function deliveryList(id: string, status?: DeliveryStatus) {
  return infiniteQueryOptions({
    queryKey: ['webhooks', id, 'deliveries', status ?? 'all'] as const,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: PAGE, ...(status && { status }), ...(pageParam !== undefined && { cursor: pageParam }) }
      return (await resultOf(api.GET('/webhooks/endpoints/{endpoint_id}/deliveries', { params: { ...at(id), query }, signal }))).data
    },
    getNextPageParam: nextCursor,
  })
}

export async function registerEndpoint(body: Schemas['CreateEndpoint']) {
  return (await resultOf(api.POST('/webhooks/endpoints', { body }))).data
}

export async function rotateSecret(id: string) {
  return (await resultOf(api.POST('/webhooks/endpoints/{endpoint_id}/rotate-secret', { params: at(id) }))).data
}

export async function sendTest(id: string) {
  return (await resultOf(api.POST('/webhooks/endpoints/{endpoint_id}/test', { params: at(id) }))).data
}

export async function enableEndpoint(id: string) {
  return (await resultOf(api.POST('/webhooks/endpoints/{endpoint_id}/enable', { params: at(id) }))).data
}

export async function deleteEndpoint(id: string) {
  await resultOf(api.DELETE('/webhooks/endpoints/{endpoint_id}', { params: at(id) }))
}

export async function resendDelivery(id: string, deliveryId: string) {
  const params = { path: { endpoint_id: id, delivery_id: deliveryId } }
  return (await resultOf(api.POST('/webhooks/endpoints/{endpoint_id}/deliveries/{delivery_id}/redeliver', { params }))).data
}

/** Sends again all deliveries that have been dropped since a given time. */
export async function resendDropped(id: string, from: string) {
  return (await resultOf(api.POST('/webhooks/endpoints/{endpoint_id}/redeliver', { params: at(id), body: { from } }))).data
}

function at(id: string) {
  return { path: { endpoint_id: id } }
}
