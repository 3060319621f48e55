import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'
import { Fault, resultOf } from '../fault.ts'
import { inTurns } from '../inTurns.ts'
import { nextCursor } from '../pages.ts'
import type { components } from '../schema.d.ts'
import { untilAnswered } from '../untilAnswered.ts'
import { versioned } from '../versioned.ts'
import type { Side } from './orders.ts'

type Schemas = components['schemas']
export type BuyerAgreement = Schemas['BuyerAgreement']
export type Agreement = Schemas['Agreement']
export type PutAgreement = Schemas['PutAgreement']
export type Pacing = Schemas['Pacing']
export type Credit = Schemas['Credit']
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

/**
 * Grants an agreement under an id that has none yet; one that is there is not written over. The API answers a repeat as the grant, so that neither a
 * second try nor a second click after a lost reply is refused.
 */
export async function grantAgreement(id: string, body: PutAgreement) {
  const params = { ...at(id), header: { 'If-None-Match': '*' as const } }
  try {
    return (await untilAnswered(() => resultOf(api.PUT('/me/agreements/{agreement_id}', { params, body })))).data
  } catch (error) {
    throw error instanceof Fault ? ofId(error, id) : error
  }
}

/** A refusal that is about the id, at its field. The id of another seller is answered as one that is not there. */
function ofId(fault: Fault, id: string): Fault {
  const { status, code, requestId } = fault
  const message = { CONFLICT: `You have granted ${id} already: choose another id, or change that one.`, NOT_FOUND: UNUSABLE }[code]
  if (message === undefined) return fault
  return new Fault(status, { code, message, requestId, details: { errors: [{ pointer: '/agreement_id', error_code: code, message }] } })
}

const UNUSABLE = 'This id cannot be used: choose another.'

/** Has what depends on the terms of agreements read again: their lists, and what is left of commitments and credit. */
export async function rereadAgreements(queries: QueryClient): Promise<void> {
  await Promise.all([queries.invalidateQueries({ queryKey: ['agreements'] }), queries.invalidateQueries({ queryKey: ['settlement'] })])
}

/** Replaces an agreement if it is still as it was read. */
export async function putAgreement(id: string, version: string, body: PutAgreement) {
  const params = { ...at(id), header: { 'If-Match': version } }
  return versioned(await resultOf(api.PUT('/me/agreements/{agreement_id}', { params, body })))
}

/** 30 calls a second at most, of the 50 that a tenant has. */
const inTurn = inTurns({ most: 3, ms: 100 })

/** How much of an agreement's commitment is booked: either side reads the same. */
export function pacingRead(side: Side, id: string) {
  return queryOptions({
    queryKey: ['settlement', side, 'pacing', id] as const,
    queryFn: ({ signal }) =>
      inTurn(async () => {
        const reply =
          side === 'seller'
            ? api.GET('/me/agreements/{agreement_id}/pacing', { params: at(id), signal })
            : api.GET('/agreements/{agreement_id}/pacing', { params: at(id), signal })
        return (await resultOf(reply)).data
      }, signal),
  })
}

/** The credit of an agreement and what cleared orders draw of it: either side reads the same. */
export function creditRead(side: Side, id: string) {
  return queryOptions({
    queryKey: ['settlement', side, 'credit', id] as const,
    queryFn: ({ signal }) =>
      inTurn(async () => {
        const reply =
          side === 'seller'
            ? api.GET('/me/agreements/{agreement_id}/credit', { params: at(id), signal })
            : api.GET('/settlement/credit', { params: { query: { agreement: id } }, signal })
        return (await resultOf(reply)).data
      }, signal),
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
