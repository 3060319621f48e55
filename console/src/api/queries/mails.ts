import { queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'
import { resultOf } from '../fault.ts'
import type { components } from '../schema.d.ts'
import type { Side } from './orders.ts'

export type Mail = components['schemas']['EdiMail']

/** The mails that sent an order's documents to the agency's billing system, newest first. */
export function mailLog(side: Side, orderId: string) {
  return queryOptions({
    queryKey: ['order', orderId, 'mails'] as const,
    queryFn: async ({ signal }) => {
      const params = { path: { order_id: orderId }, query: { limit: 100 } }
      const reply =
        side === 'seller' ? api.GET('/me/orders/{order_id}/edi', { params, signal }) : api.GET('/orders/{order_id}/edi', { params, signal })
      return (await resultOf(reply)).data
    },
  })
}

/** Sends the document of a mail again. Requests with the same key count as one. */
export async function resendMail(side: Side, orderId: string, messageId: string, key: string): Promise<Mail> {
  const params = { path: { order_id: orderId }, header: { 'Idempotency-Key': key } }
  const body = { message_id: messageId }
  const reply =
    side === 'seller' ? api.POST('/me/orders/{order_id}/edi', { params, body }) : api.POST('/orders/{order_id}/edi', { params, body })
  return (await resultOf(reply)).data
}

/** The address at which a browser downloads the document of a mail. */
export function mailDocument(side: Side, orderId: string, messageId: string): string {
  return `/v1${side === 'seller' ? '/me' : ''}/orders/${orderId}/edi/${messageId}/document`
}
