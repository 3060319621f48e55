import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'
import { Fault, resultOf } from '../fault.ts'
import { inTurns } from '../inTurns.ts'
import type { components } from '../schema.d.ts'
import { untilAnswered } from '../untilAnswered.ts'

type Schemas = components['schemas']
export type OrderRow = Schemas['OrderListItem']
export type Order = Schemas['OrderSnapshot']
export type OrderLine = Schemas['LineResultOutput']
export type OrderEvent = Schemas['OrderEventOutput']
export type OrderStatus = Order['status']
export type Decide = Schemas['DecideOrder']
export type Confirm = Schemas['ConfirmOrder']
export type PlanOrder = Schemas['PlanOrder']
export type DecidePreview = Schemas['DecidePreview']
export type Side = 'buyer' | 'seller'

export interface OrderFilter {
  readonly status?: readonly OrderStatus[]
  readonly waiting_on?: 'buyer' | 'seller' | 'platform'
  readonly overdue?: boolean
  readonly buyer?: string
  readonly seller?: string
  readonly advertiser_id?: string
  readonly workflow?: Order['workflow']
  /** The earliest and the latest first air date, both included. */
  readonly air_from?: string
  readonly air_to?: string
  /** The beginning of the buyer's or the seller's order id. */
  readonly q?: string
}

const PAGE = 200

/** Orders of one side, newest first, page by page. */
export function orderList(side: Side, { status = [], workflow, overdue, q = '', ...others }: OrderFilter = {}) {
  const filter = {
    limit: PAGE,
    ...others,
    ...(workflow !== undefined && { workflow: [workflow] }),
    ...(status.length > 0 && { status: [...status] }),
    ...(overdue !== undefined && { overdue: String(overdue) as 'true' | 'false' }),
    ...(q.trim() !== '' && { q: q.trim() }),
  }
  return infiniteQueryOptions({
    queryKey: ['orders', side, filter] as const,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const params = { query: { ...filter, ...(pageParam !== undefined && { cursor: pageParam }) } }
      const reply = side === 'seller' ? api.GET('/me/orders', { params, signal }) : api.GET('/orders', { params, signal })
      return (await resultOf(reply)).data
    },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })
}

/** The number of open orders by status and by the party that they wait for. */
export function orderCounts(side: Side) {
  return queryOptions({
    queryKey: ['order-counts', side] as const,
    queryFn: async ({ signal }) =>
      (await resultOf(side === 'seller' ? api.GET('/me/orders/counts', { signal }) : api.GET('/orders/counts', { signal }))).data,
  })
}

/** The current state of an order, or its state at `atSeq`. */
export function orderRead(side: Side, orderId: string, atSeq?: number) {
  return queryOptions({
    queryKey: ['order', orderId, 'read', atSeq ?? 'now'] as const,
    queryFn: async ({ signal }) => {
      const params = { path: { order_id: orderId }, query: atSeq === undefined ? {} : { at_seq: String(atSeq) } }
      const reply =
        side === 'seller' ? api.GET('/me/orders/{order_id}', { params, signal }) : api.GET('/orders/{order_id}', { params, signal })
      return (await resultOf(reply)).data
    },
    ...(atSeq !== undefined && { staleTime: Number.POSITIVE_INFINITY }),
  })
}

/** The complete log of an order. */
export function orderEvents(orderId: string) {
  return queryOptions({
    queryKey: ['order', orderId, 'events'] as const,
    queryFn: async ({ signal }) => {
      const events: OrderEvent[] = []
      for (;;) {
        const query = { order: orderId, after_seq: String(events.at(-1)?.seq ?? 0) }
        const { data } = await resultOf(api.GET('/events', { params: { query }, signal }))
        events.push(...data.events)
        if (data.events.length === 0 || (events.at(-1)?.seq ?? 0) >= data.last_seq) return events
      }
    },
  })
}

/** A command on an order, with the state that its sender saw; the API refuses it if the order has changed since. */
interface Command<Body> {
  readonly orderId: string
  readonly lastSeq: number
  readonly body: Body
}

function seen({ orderId, lastSeq }: Command<unknown>) {
  return { path: { order_id: orderId }, header: { 'If-Match': `"${lastSeq}"` } }
}

/** Reads an order again, and the lists and counts that show it, after a command that may have changed it. */
export async function rereadOrder(queries: QueryClient, orderId: string): Promise<void> {
  const concerned = [['order', orderId], ['orders'], ['order-counts']]
  await Promise.all(concerned.map((queryKey) => queries.invalidateQueries({ queryKey })))
}

/** Sends a decision; with `keepalive` the call outlives the page. */
export function decideOrder(command: Command<Decide>, { keepalive = false } = {}) {
  return sent(() => api.POST('/me/orders/{order_id}/decide', { params: seen(command), body: command.body, keepalive }))
}

/** Predicts the effect of a decision without carrying it out. */
export function decisionPreview(command: Command<Decide>) {
  return queryOptions({
    queryKey: ['order', command.orderId, 'preview', command.lastSeq, command.body] as const,
    queryFn: ({ signal }) => previewed(command, signal),
  })
}

/** The same of many orders, a few at a time. */
export function decisionPreviewInTurn(command: Command<Decide>) {
  return queryOptions({
    ...decisionPreview(command),
    queryFn: ({ signal }) => inTurn(() => previewed(command, signal), signal),
    retry: false,
  })
}

const inTurn = inTurns({ max: 4, ms: 50 })

async function previewed(command: Command<Decide>, signal: AbortSignal): Promise<DecidePreview> {
  const params = { ...seen(command), query: { dry_run: 'true' as const } }
  const { data } = await resultOf(api.POST('/me/orders/{order_id}/decide', { params, body: command.body, signal }))
  return data as DecidePreview
}

export function planOrder(command: Command<PlanOrder>) {
  return sent(() => api.POST('/me/orders/{order_id}/plan', { params: seen(command), body: command.body }))
}

export function respondOrder(command: Command<Schemas['RespondOrder']>) {
  return sent(() => api.POST('/orders/{order_id}/respond', { params: seen(command), body: command.body }))
}

export function confirmOrder(command: Command<Confirm>) {
  return sent(() => api.POST('/orders/{order_id}/confirm', { params: seen(command), body: command.body }))
}

/** Says what a confirm would book; or, of a document, what it would refuse as unresolved. */
export function confirmPreview(command: Command<Confirm>) {
  return queryOptions({
    queryKey: ['order', command.orderId, 'confirm-preview', command.lastSeq, command.body] as const,
    queryFn: async ({ signal }) => {
      const params = { ...seen(command), query: { dry_run: 'true' as const } }
      try {
        const { data } = await resultOf(api.POST('/orders/{order_id}/confirm', { params, body: command.body, signal }))
        return { preview: data as Schemas['ConfirmPreview'], unresolved: [] }
      } catch (error) {
        const unresolved = error instanceof Fault ? error.details.unresolved : undefined
        if (unresolved === undefined) throw error
        return { preview: undefined, unresolved: unresolved as readonly object[] }
      }
    },
    retry: false,
  })
}

export function cancelOrder(command: Command<Schemas['CancelOrder']>) {
  return sent(() => api.POST('/orders/{order_id}/cancel', { params: seen(command), body: command.body }))
}

/** Says what canceling the order now would mean: whether it is on time by its terms, and the fee. */
export function cancelPreview(orderId: string, lastSeq: number) {
  return queryOptions({
    queryKey: ['order', orderId, 'cancel-preview', lastSeq] as const,
    queryFn: async ({ signal }) => {
      const params = { ...seen({ orderId, lastSeq, body: {} }), query: { dry_run: 'true' as const } }
      return (await resultOf(api.POST('/orders/{order_id}/cancel', { params, body: {}, signal }))).data.cancellation
    },
  })
}

async function sent<Data>(send: () => Parameters<typeof resultOf<Data>>[0]): Promise<Data> {
  return (await untilAnswered(() => resultOf(send()))).data
}

/** The address at which a browser downloads an order's attachment or source document. */
export function attachmentContent(side: Side, orderId: string, uploadId: string): string {
  return side === 'seller' ? `/v1/me/orders/${orderId}/attachments/${uploadId}` : `/v1/uploads/${uploadId}/content`
}
