import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'
import { resultOf } from '../fault.ts'
import type { components } from '../schema.d.ts'

type Schemas = components['schemas']
export type PublishKind = 'catalog' | 'rates' | 'avails'
export type PublishReply = Pick<Schemas['RateCardReply'], 'accepted' | 'rejected' | 'errors' | 'warnings' | 'effect' | 'basis'>
export type Effect = Schemas['PublishEffect']
export type Product = Schemas['CatalogRead']['products'][number]
export type Avail = Schemas['PublishedAvails']['avails'][number]
export type AvailsRequest = Schemas['AvailsRequestList']['items'][number]
export type CardSummary = Schemas['RateCardList']['items'][number]
export type CardEntry = Schemas['RateCardRead']['entries'][number]
export type CardDiff = Schemas['RateCardDiff']

interface How {
  /** Whether the API only predicts the effect and writes nothing. */
  readonly dryRun?: boolean
  /** The published state that the sender saw; the API refuses the publish if it has changed since. */
  readonly basis?: string | undefined
  readonly signal?: AbortSignal
}

/** Publishes a body without checking it here, since the API reports its faults. */
export async function publish(kind: PublishKind, body: object, { dryRun = false, basis, signal }: How): Promise<PublishReply> {
  const params = {
    query: dryRun ? { dry_run: 'true' as const } : {},
    header: basis === undefined ? {} : { 'If-Match': `"${basis}"` },
  }
  const init = { params, ...(signal && { signal }) }
  if (kind === 'catalog') return (await resultOf(api.PUT('/me/catalog', { ...init, body: body as Schemas['CatalogUpdate'] }))).data
  if (kind === 'rates') return (await resultOf(api.PUT('/me/rate-cards', { ...init, body: body as Schemas['RateCardCommit'] }))).data
  return (await resultOf(api.PUT('/me/avails', { ...init, body: body as Schemas['AvailsUpdate'] }))).data
}

/** The seller's own products. */
export const ownCatalog = queryOptions({
  queryKey: ['published', 'catalog'],
  queryFn: async ({ signal }) => (await resultOf(api.GET('/me/catalog', { signal }))).data,
})

/** The seller's own avails in a range of weeks such as `2027-W01..2027-W26`, for all products or for one. */
export function ownAvails(weeks: string, product?: string) {
  return queryOptions({
    queryKey: ['published', 'avails', weeks, product ?? ''] as const,
    queryFn: async ({ signal }) =>
      wholeOf(async (cursor) => {
        const query = { weeks, limit: MAX_PER_PAGE, ...(product !== undefined && { product_id: product }), ...cursor }
        const { avails, next_cursor } = (await resultOf(api.GET('/me/avails', { params: { query }, signal }))).data
        return { items: avails, next_cursor }
      }),
  })
}

/** Buyers' open requests for avails, oldest first. */
export const availsAsks = queryOptions({
  queryKey: ['published', 'asks'],
  queryFn: async ({ signal }) =>
    wholeOf(
      async (cursor) => (await resultOf(api.GET('/me/avails/requests', { params: { query: { limit: 200, ...cursor } }, signal }))).data,
    ),
})

/** The seller's commits, newest first, page by page. */
export const cardList = infiniteQueryOptions({
  queryKey: ['published', 'cards'],
  initialPageParam: undefined as string | undefined,
  queryFn: async ({ pageParam, signal }) => {
    const query = { limit: 200, ...(pageParam !== undefined && { cursor: pageParam }) }
    return (await resultOf(api.GET('/me/rate-cards', { params: { query }, signal }))).data
  },
  getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
})

/** A commit with its first entries, one per price and week. */
export function cardRead(commit: string) {
  return queryOptions({
    queryKey: ['published', 'card', commit] as const,
    queryFn: async ({ signal }) =>
      (await resultOf(api.GET('/me/rate-cards/{commit}', { params: { path: { commit }, query: { limit: MAX_PER_PAGE } }, signal }))).data,
  })
}

/** Every entry of a commit. */
export function cardEntries(commit: string) {
  return queryOptions({
    queryKey: ['published', 'card', commit, 'entries'] as const,
    queryFn: async ({ signal }) => {
      const read = async (cursor: Cursor) => {
        const params = { path: { commit }, query: { limit: MAX_PER_PAGE, ...cursor } }
        return (await resultOf(api.GET('/me/rate-cards/{commit}', { params, signal }))).data
      }
      const first = await read({})
      const rest = await wholeOf(async (cursor) => {
        const { entries, next_cursor } = 'cursor' in cursor ? await read(cursor) : first
        return { items: entries, next_cursor }
      })
      return { ...first, entries: rest }
    },
  })
}

/** The price differences between a commit and `against`, or the previous commit if omitted. */
export function cardDiff(commit: string, against: string | undefined) {
  return queryOptions({
    queryKey: ['published', 'card', commit, 'diff', against ?? ''] as const,
    queryFn: async ({ signal }) => {
      const query = { limit: MAX_PER_PAGE, ...(against !== undefined && { against }) }
      return (await resultOf(api.GET('/me/rate-cards/{commit}/diff', { params: { path: { commit }, query }, signal }))).data
    },
  })
}

const MAX_PER_PAGE = 5_000

type Cursor = { readonly cursor?: string }

async function wholeOf<Item>(read: (cursor: Cursor) => Promise<{ items: Item[]; next_cursor: string | null }>): Promise<Item[]> {
  const all: Item[] = []
  for (let cursor: Cursor = {}; ; ) {
    const { items, next_cursor } = await read(cursor)
    all.push(...items)
    if (next_cursor === null) return all
    cursor = { cursor: next_cursor }
  }
}
