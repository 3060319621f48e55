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
export type GrantEffect = Schemas['GrantEffect']
export type BuyerStanding = Schemas['BuyerStanding']

const PAGE = 200

/** The buyer's agreements in force. */
export const agreementList = infiniteQueryOptions({
  queryKey: ['agreements', 'buyer'] as const,
  initialPageParam: undefined as string | undefined,
  queryFn: async ({ pageParam, signal }) => (await resultOf(api.GET('/agreements', { params: { query: page(pageParam) }, signal }))).data,
  getNextPageParam: nextCursor,
})

/** The agreements that the seller granted, including ended ones. */
export const grantedList = infiniteQueryOptions({
  queryKey: ['agreements', 'seller'] as const,
  initialPageParam: undefined as string | undefined,
  queryFn: async ({ pageParam, signal }) =>
    (await resultOf(api.GET('/me/agreements', { params: { query: page(pageParam) }, signal }))).data,
  getNextPageParam: nextCursor,
})

/** One of the seller's agreements, with the version that its replacement must name. */
export function grantedRead(id: string) {
  return queryOptions({
    queryKey: ['agreements', 'seller', id] as const,
    queryFn: async ({ signal }) => versioned(await resultOf(api.GET('/me/agreements/{agreement_id}', { params: at(id), signal }))),
  })
}

/**
 * Grants an agreement under a new id; an existing one is never overwritten. The API answers a repeat with the grant, so neither a retry
 * nor a second click after a lost reply is refused.
 */
export async function grantAgreement(id: string, body: PutAgreement) {
  const params = { ...at(id), header: { 'If-None-Match': '*' as const } }
  try {
    return (await untilAnswered(() => resultOf(api.PUT('/me/agreements/{agreement_id}', { params, body })))).data
  } catch (error) {
    throw error instanceof Fault ? ofId(error, id) : error
  }
}

/** Says what a grant, or a change of an agreement, would change for its buyer; nothing is granted. */
export async function tryAgreement(id: string, body: PutAgreement, header = { 'If-None-Match': '*' as const } as object) {
  try {
    const params = { ...at(id), header, query: { dry_run: 'true' as const } }
    return (await resultOf(api.PUT('/me/agreements/{agreement_id}', { params, body }))).data as { effect: GrantEffect }
  } catch (error) {
    throw error instanceof Fault ? ofId(error, id) : error
  }
}

/** Reports a refusal that concerns the id at its field. The API answers another seller's id as if it did not exist. */
function ofId(fault: Fault, id: string): Fault {
  const { status, code, requestId } = fault
  const message = { CONFLICT: `You have granted ${id} already: choose another id, or change that one.`, NOT_FOUND: UNUSABLE }[code]
  if (message === undefined) return fault
  return new Fault(status, { code, message, requestId, details: { errors: [{ pointer: '/agreement_id', error_code: code, message }] } })
}

const UNUSABLE = 'This id cannot be used: choose another.'

/** Refreshes everything that depends on agreement terms: the lists, and the remaining commitments and credit. */
export async function rereadAgreements(queries: QueryClient): Promise<void> {
  await Promise.all([queries.invalidateQueries({ queryKey: ['agreements'] }), queries.invalidateQueries({ queryKey: ['settlement'] })])
}

/** Replaces an agreement if it has not changed since it was read. */
export async function putAgreement(id: string, version: string, body: PutAgreement) {
  const params = { ...at(id), header: { 'If-Match': version } }
  return versioned(await resultOf(api.PUT('/me/agreements/{agreement_id}', { params, body })))
}

/** Makes at most 30 of the 50 calls a second that a tenant may make. */
const inTurn = inTurns({ max: 3, ms: 100 })

/** The booked part of an agreement's commitment; both sides read the same. */
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

/** The credit of an agreement and the amount that cleared orders draw; both sides read the same. */
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
