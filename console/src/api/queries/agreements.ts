import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'
import { resultOf } from '../fault.ts'
import { nextCursor } from '../pages.ts'
import type { components } from '../schema.d.ts'
import { versioned } from '../versioned.ts'

type Schemas = components['schemas']
export type BuyerAgreement = Schemas['BuyerAgreement']
export type Agreement = Schemas['Agreement']
export type PutAgreement = Schemas['PutAgreement']
export type BuyerStanding = Schemas['BuyerStanding']

const PAGE = 200

/** The buyer's agreements in force. */
export const agreementList = infiniteQueryOptions({
  queryKey: ['agreements', 'buyer'] as const,
  initialPageParam: undefined as string | undefined,
  queryFn: async ({ pageParam, signal }) => (await resultOf(api.GET('/agreements', { params: { query: page(pageParam) }, signal }))).data,
  getNextPageParam: nextCursor,
})

/** The agreements that the seller granted, ended ones included. */
export const grantedList = infiniteQueryOptions({
  queryKey: ['agreements', 'seller'] as const,
  initialPageParam: undefined as string | undefined,
  queryFn: async ({ pageParam, signal }) =>
    (await resultOf(api.GET('/me/agreements', { params: { query: page(pageParam) }, signal }))).data,
  getNextPageParam: nextCursor,
})

/** One of the seller's agreements, with the version that its replacement names. */
export function grantedRead(id: string) {
  return queryOptions({
    queryKey: ['agreements', 'seller', id] as const,
    queryFn: async ({ signal }) => versioned(await resultOf(api.GET('/me/agreements/{agreement_id}', { params: at(id), signal }))),
  })
}

/** Replaces an agreement if it is still as it was read. */
export async function putAgreement(id: string, version: string, body: PutAgreement) {
  const params = { ...at(id), header: { 'If-Match': version } }
  return versioned(await resultOf(api.PUT('/me/agreements/{agreement_id}', { params, body })))
}

/** How much of an agreement's commitment is booked. */
export function pacingRead(id: string) {
  return queryOptions({
    queryKey: ['agreements', 'pacing', id] as const,
    queryFn: async ({ signal }) => (await resultOf(api.GET('/agreements/{agreement_id}/pacing', { params: at(id), signal }))).data,
  })
}

/** The credit of an agreement and its exposure. */
export function creditRead(id: string) {
  return queryOptions({
    queryKey: ['agreements', 'credit', id] as const,
    queryFn: async ({ signal }) => (await resultOf(api.GET('/settlement/credit', { params: { query: { agreement: id } }, signal }))).data,
  })
}

/** The buyers whose standing the seller has set. */
export const standingList = infiniteQueryOptions({
  queryKey: ['agreements', 'standings'] as const,
  initialPageParam: undefined as string | undefined,
  queryFn: async ({ pageParam, signal }) => (await resultOf(api.GET('/me/buyers', { params: { query: page(pageParam) }, signal }))).data,
  getNextPageParam: nextCursor,
})

export async function putStanding(buyer: string, body: Schemas['PutBuyer']) {
  return (await resultOf(api.PUT('/me/buyers/{buyer_entity}', { params: { path: { buyer_entity: buyer } }, body }))).data
}

function page(cursor: string | undefined) {
  return { limit: PAGE, ...(cursor !== undefined && { cursor }) }
}

function at(id: string) {
  return { path: { agreement_id: id } }
}
