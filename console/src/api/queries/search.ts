import { queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'
import { resultOf } from '../fault.ts'
import type { components } from '../schema.d.ts'

export type Found = components['schemas']['SearchReply']

/** What the tenant has under some words. */
export function searchRead(q: string) {
  return queryOptions({
    queryKey: ['search', q] as const,
    queryFn: async ({ signal }) => (await resultOf(api.GET('/search', { params: { query: { q } }, signal }))).data,
    staleTime: 0,
    retry: false,
  })
}
