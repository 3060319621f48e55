import { queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'
import { resultOf } from '../fault.ts'
import type { components } from '../schema.d.ts'

type Schemas = components['schemas']
export type Hold = Schemas['Hold']
export type CreateHold = Schemas['CreateHold']

/** The buyer's open holds. */
export const openHolds = queryOptions({
  queryKey: ['holds', 'held'] as const,
  queryFn: async ({ signal }) =>
    (await resultOf(api.GET('/holds', { params: { query: { status: 'held' as const, limit: 500 } }, signal }))).data.items,
})

/** Asks a seller to hold inventory. A request with the same key creates one hold, however often it is sent. */
export async function createHold(key: string, body: CreateHold) {
  return (await resultOf(api.POST('/holds', { params: { header: { 'Idempotency-Key': key } }, body }))).data
}

export async function releaseHold(holdId: string) {
  return (await resultOf(api.DELETE('/holds/{hold_id}', { params: { path: { hold_id: holdId } } }))).data
}
