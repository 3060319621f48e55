import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'
import { resultOf } from '../fault.ts'
import { nextCursor } from '../pages.ts'
import type { components } from '../schema.d.ts'
import { versioned } from '../versioned.ts'
import type { Side } from './orders.ts'

type Schemas = components['schemas']
export type Capabilities = Schemas['Capabilities']
export type SellerProfile = Schemas['SellerProfile']
export type AuditEntry = Schemas['SecurityEvent']

const PAGE = 100

/** The seller's profile, with the version that its replacement must name. */
export const capabilitiesRead = queryOptions({
  queryKey: ['profile', 'capabilities'] as const,
  queryFn: async ({ signal }) => versioned(await resultOf(api.GET('/me/capabilities', { signal }))),
})

/** Replaces the profile if it has not changed since it was read. */
export async function putCapabilities(version: string, body: SellerProfile) {
  return versioned(await resultOf(api.PUT('/me/capabilities', { params: { header: { 'If-Match': version } }, body })))
}

/** The changes to the tenant with their authors, newest first. */
export function auditList(side: Side) {
  return infiniteQueryOptions({
    queryKey: ['profile', 'audit', side] as const,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const params = { query: { limit: PAGE, ...(pageParam !== undefined && { cursor: pageParam }) } }
      const reply = side === 'seller' ? api.GET('/me/audit', { params, signal }) : api.GET('/audit', { params, signal })
      return (await resultOf(reply)).data
    },
    getNextPageParam: nextCursor,
  })
}
