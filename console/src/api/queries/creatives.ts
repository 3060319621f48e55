import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'
import { resultOf } from '../fault.ts'
import { nextCursor } from '../pages.ts'
import type { components } from '../schema.d.ts'

type Schemas = components['schemas']
export type Creative = Schemas['Creative']

const PAGE = 200

/** The buyer's creatives, including archived ones. */
export const creativeList = infiniteQueryOptions({
  queryKey: ['creatives'] as const,
  initialPageParam: undefined as string | undefined,
  queryFn: async ({ pageParam, signal }) => {
    const query = { limit: PAGE, ...(pageParam !== undefined && { cursor: pageParam }) }
    return (await resultOf(api.GET('/creatives', { params: { query }, signal }))).data
  },
  getNextPageParam: nextCursor,
})

export async function registerCreative(body: Schemas['CreateCreative']) {
  return (await resultOf(api.POST('/creatives', { body }))).data
}

export async function archiveCreative(creativeId: string) {
  return (await resultOf(api.POST('/creatives/{creative_id}/archive', { params: { path: { creative_id: creativeId } } }))).data
}
