import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'
import { resultOf } from '../fault.ts'
import type { components } from '../schema.d.ts'
import type { Side } from './orders.ts'

type Schemas = components['schemas']
export type InvoiceRow = Schemas['InvoiceSummary']
export type Invoice = Schemas['Invoice']
export type StatementTotals = Schemas['StatementTotals']
export type ReconciledOrder = Schemas['ReconciledOrder']
export type Reconciliation = Schemas['Reconciliation']
export type ReconciliationLine = Schemas['ReconciliationLine']
export type Variance = Schemas['Variance']
export type VarianceCode = Variance['code']
export type Terms = Schemas['BuyerAgreement'] | Schemas['Agreement']

export interface InvoiceFilter {
  readonly agreement?: string
  readonly broadcast_month?: string
  readonly order_id?: string
  readonly status?: InvoiceRow['status']
}

const PAGE = 100

/** The invoices and credit notes of one side, newest first. For one agreement and month they form a statement, with totals. */
export function invoiceList(side: Side, filter: InvoiceFilter) {
  return infiniteQueryOptions({
    queryKey: ['settlement', side, 'invoices', filter] as const,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const params = { query: { ...filter, limit: PAGE, ...(pageParam !== undefined && { cursor: pageParam }) } }
      const reply =
        side === 'seller' ? api.GET('/me/settlement/invoices', { params, signal }) : api.GET('/settlement/invoices', { params, signal })
      return (await resultOf(reply)).data
    },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })
}

export function invoiceRead(side: Side, invoiceId: string) {
  return queryOptions({
    queryKey: ['settlement', side, 'invoice', invoiceId] as const,
    queryFn: async ({ signal }) => {
      const params = { path: { invoice_id: invoiceId } }
      const reply =
        side === 'seller'
          ? api.GET('/me/settlement/invoices/{invoice_id}', { params, signal })
          : api.GET('/settlement/invoices/{invoice_id}', { params, signal })
      return (await resultOf(reply)).data
    },
  })
}

/** All agreements of one side with their terms. */
export function agreementList(side: Side) {
  return queryOptions({
    queryKey: ['settlement', side, 'agreements'] as const,
    queryFn: async ({ signal }) => {
      const items: Terms[] = []
      let cursor: string | null | undefined
      do {
        const params = { query: { limit: 200, ...(cursor && { cursor }) } }
        const reply = side === 'seller' ? api.GET('/me/agreements', { params, signal }) : api.GET('/agreements', { params, signal })
        const { data }: { data: { items: Terms[]; next_cursor: string | null } } = await resultOf(reply)
        items.push(...data.items)
        cursor = data.next_cursor
      } while (cursor)
      return items
    },
  })
}

/** Reconciled orders; the order that changed last comes last. Read the list to its end, since it contains each order once. */
export function reconciledOrders(side: Side, filter: { code?: VarianceCode; broadcast_month?: string }) {
  return infiniteQueryOptions({
    queryKey: ['settlement', side, 'reconciled', filter] as const,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const params = { query: { ...filter, limit: PAGE, ...(pageParam !== undefined && { after: pageParam }) } }
      const reply =
        side === 'seller'
          ? api.GET('/me/settlement/reconciliation', { params, signal })
          : api.GET('/settlement/reconciliation', { params, signal })
      return (await resultOf(reply)).data
    },
    // The cursor is never null, so a page that is not full is the last one.
    getNextPageParam: ({ items, next_cursor }) => (items.length === PAGE ? next_cursor : undefined),
  })
}

export interface VarianceFilter {
  readonly code?: VarianceCode
  readonly broadcast_month?: string
}

/** The reconciliation of an order, page by page. */
export function reconciliationRead(side: Side, orderId: string, filter: VarianceFilter) {
  return infiniteQueryOptions({
    queryKey: ['settlement', side, 'reconciliation', orderId, filter] as const,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const params = {
        path: { order_id: orderId },
        query: { ...filter, limit: 500, ...(pageParam !== undefined && { cursor: pageParam }) },
      }
      const reply =
        side === 'seller'
          ? api.GET('/me/orders/{order_id}/reconciliation', { params, signal })
          : api.GET('/orders/{order_id}/reconciliation', { params, signal })
      return (await resultOf(reply)).data
    },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })
}

export type BuyerAct = Schemas['AnswerVariance']
export type SellerAct = Schemas['SettleVariance']

/** Acts on a variance as the order's buyer. A command with the same key is carried out once, however often it is sent. */
export async function answerVariance(orderId: string, varianceId: string, key: string, body: BuyerAct) {
  const params = actParams(orderId, varianceId, key)
  return (await resultOf(api.POST('/orders/{order_id}/reconciliation/variances/{variance_id}', { params, body }))).data
}

/** Acts on a variance as the order's seller, also once per key. */
export async function settleVariance(orderId: string, varianceId: string, key: string, body: SellerAct) {
  const params = actParams(orderId, varianceId, key)
  return (await resultOf(api.POST('/me/orders/{order_id}/reconciliation/variances/{variance_id}', { params, body }))).data
}

function actParams(orderId: string, varianceId: string, key: string) {
  return { path: { order_id: orderId, variance_id: varianceId }, header: { 'Idempotency-Key': key } }
}

export async function markInvoicePaid(invoiceId: string, body: Schemas['MarkPaid']) {
  const params = { path: { invoice_id: invoiceId } }
  return (await resultOf(api.POST('/me/settlement/invoices/{invoice_id}/paid', { params, body }))).data
}
