import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'
import { isRecent, serverNow } from '../clock.ts'
import { resultOf } from '../fault.ts'
import type { components } from '../schema.d.ts'

type Schemas = components['schemas']
export type DropSummary = Schemas['DropSummary']
export type DropResult = Schemas['DropResult']
export type DropStatus = DropSummary['status']
export type DropFileType = Schemas['ManifestFile']['type']
export type Manifest = Schemas['Manifest']

const OPEN_EVERY_MS = 2_000
const REST_EVERY_MS = 15_000

/** The drop whose file was sent last, and when; a manifest.json is listed only after a worker has found it. */
let sent = { dropId: '', at: new Date(0).toISOString() }

/** Whether a file of the drop was sent from here within the last minute, so that it can be unknown only because it was not found yet. */
export function isJustSent(dropId: string): boolean {
  return sent.dropId === dropId && isRecent(sent.at)
}

/** The seller's drops, newest first, page by page; the first page also lists the waiting manifests. */
export function dropList(status: DropStatus | undefined) {
  return infiniteQueryOptions({
    queryKey: ['drops', 'list', status ?? ''] as const,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: 100, ...(status && { status }), ...(pageParam !== undefined && { cursor: pageParam }) }
      return (await resultOf(api.GET('/me/files', { params: { query }, signal }))).data
    },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    // The feed has no drop events, so the list is polled.
    refetchInterval: ({ state }) => (isRecent(sent.at) || state.data?.pages.some(isMoving) ? OPEN_EVERY_MS : REST_EVERY_MS),
  })
}

/** Whether a drop of a page may change within seconds. */
function isMoving({ items, waiting }: Schemas['DropList']): boolean {
  const moving = [...waiting, ...items.filter(({ status }) => status === 'processing')]
  return moving.some(({ registered_at }) => isRecent(registered_at))
}

/** The result of a drop's latest run, with its errors once the run has ended. */
export function dropRead(dropId: string) {
  return queryOptions({
    queryKey: ['drops', 'read', dropId] as const,
    queryFn: async ({ signal }) => (await resultOf(api.GET('/me/files/{drop_id}', { params: { path: { drop_id: dropId } }, signal }))).data,
    refetchInterval: ({ state }) => (state.data === undefined && isJustSent(dropId) ? OPEN_EVERY_MS : pollOf(state.data)),
  })
}

function pollOf(drop: DropResult | undefined): number | false {
  if (drop?.status !== 'processing') return false
  return isRecent(drop.registered_at) ? OPEN_EVERY_MS : REST_EVERY_MS
}

/** Puts a file into a drop and returns its manifest entry. */
export async function putDropFile(dropId: string, file: File) {
  const call = api.PUT('/me/files/{drop_id}/{filename}', {
    params: { path: { drop_id: dropId, filename: file.name } },
    // The contract types the bytes as text, but the file is sent unchanged.
    body: file as unknown as string,
    bodySerializer: (body) => body,
    headers: { 'Content-Type': 'application/octet-stream' },
  })
  const { data } = await resultOf(call)
  sent = { dropId, at: new Date(serverNow()).toISOString() }
  return data
}

export async function registerDrop(manifest: Manifest) {
  return (await resultOf(api.POST('/me/files/manifest', { body: manifest }))).data
}

export type Mapping = Schemas['PutMapping']

/** How the seller's own files are read, by name. */
export const mappingList = queryOptions({
  queryKey: ['drops', 'mappings'] as const,
  queryFn: async ({ signal }) => (await resultOf(api.GET('/me/files/mappings', { params: { query: { limit: 100 } }, signal }))).data.items,
})

export async function putMapping(name: string, body: Mapping) {
  return (await resultOf(api.PUT('/me/files/mappings/{name}', { params: { path: { name } }, body }))).data
}

export async function deleteMapping(name: string) {
  await resultOf(api.DELETE('/me/files/mappings/{name}', { params: { path: { name } } }))
}
