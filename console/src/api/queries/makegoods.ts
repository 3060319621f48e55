import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'
import { resultOf } from '../fault.ts'
import type { components } from '../schema.d.ts'
import type { Side } from './orders.ts'

type Schemas = components['schemas']
export type Makegood = Schemas['MakegoodList']['items'][number]
export type MakegoodStatus = Makegood['status']
export type NoticeMakegood = Schemas['NoticeMakegood']
export type ReviseMakegood = Schemas['ReviseMakegood']
export type AnswerMakegood = Schemas['AnswerMakegood']

/** An order has 500 makegoods at most. */
const MOST = 500

/** No event tells of a makegood, so that what is shown is read again. */
const REREAD_MS = 15_000

/** All makegoods of an order, the newest first. */
export function orderMakegoods(side: Side, orderId: string) {
  return queryOptions({
    queryKey: ['makegoods', side, orderId] as const,
    queryFn: async ({ signal }) => {
      const params = { path: { order_id: orderId }, query: { limit: MOST } }
      const reply =
        side === 'seller'
          ? api.GET('/me/orders/{order_id}/makegoods', { params, signal })
          : api.GET('/orders/{order_id}/makegoods', { params, signal })
      return (await resultOf(reply)).data.items
    },
    refetchInterval: REREAD_MS,
  })
}

const PAGE = 100

/** The makegoods of all orders of one side, the newest first. */
export function makegoodList(side: Side, status: MakegoodStatus | undefined) {
  return infiniteQueryOptions({
    queryKey: ['makegoods', side, 'all', status ?? ''] as const,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const params = { query: { limit: PAGE, ...(status && { status }), ...(pageParam !== undefined && { cursor: pageParam }) } }
      const reply = side === 'seller' ? api.GET('/me/makegoods', { params, signal }) : api.GET('/makegoods', { params, signal })
      return (await resultOf(reply)).data
    },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })
}

/** Says that units do not air, and offers others if there are any. Carried out once per key. */
export async function noticeMakegood(orderId: string, key: string, body: NoticeMakegood) {
  const params = { path: { order_id: orderId }, header: { 'Idempotency-Key': key } }
  return (await resultOf(api.POST('/me/orders/{order_id}/makegoods', { params, body }))).data
}

export async function reviseMakegood({ order_id, makegood_id }: Makegood, key: string, body: ReviseMakegood) {
  const params = { path: { order_id, makegood_id }, header: { 'Idempotency-Key': key } }
  return (await resultOf(api.POST('/me/orders/{order_id}/makegoods/{makegood_id}', { params, body }))).data
}

export async function answerMakegood({ order_id, makegood_id }: Makegood, key: string, body: AnswerMakegood) {
  const params = { path: { order_id, makegood_id }, header: { 'Idempotency-Key': key } }
  return (await resultOf(api.POST('/orders/{order_id}/makegoods/{makegood_id}', { params, body }))).data
}
