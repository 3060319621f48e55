import type { Outbound, OutboundFault } from './outboundCall.ts'
import { signatureHeaders } from './requestSignature.ts'

export interface WebhookPost {
  url: string
  secrets: readonly string[]
  /** The same on every attempt: what a receiver knows a repeat by. */
  eventId: string
  /** JSON text: the bytes signed are the bytes sent. */
  body: string
  /** Milliseconds for the whole attempt. */
  deadline: number
}

/** What a receiver did: of its answer only the status matters, and only that is kept (architecture, Outbound calls). */
export type WebhookAnswer = { latency_ms: number; status_code?: number; error?: OutboundFault }

/** One attempt, with a timestamp and signature of its own. Never throws. */
export async function postWebhook(outbound: Outbound, { url, secrets, eventId, body, deadline }: WebhookPost): Promise<WebhookAnswer> {
  const signed = signatureHeaders({ id: eventId, body, timestamp: Math.floor(Date.now() / 1_000), secrets })
  const headers = { 'content-type': 'application/json', ...signed }
  const answer = await outbound.call({ method: 'POST', url, headers, body, deadline, maxBytes: 65_536 })
  const { latency_ms } = answer
  return 'fault' in answer ? { latency_ms, error: answer.fault } : { latency_ms, status_code: answer.status }
}
