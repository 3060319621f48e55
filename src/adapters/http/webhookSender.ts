import type { OpenSpan } from '../../metrics/span.ts'
import { tracedIn } from '../../metrics/tracing.ts'
import { DELIVERY_ATTEMPTS, DELIVERY_TIMES, statusClass } from '../../metrics/work.ts'
import type { Outbound } from './outboundCall.ts'
import type { OutboundFault } from './outboundExchange.ts'
import { signatureHeaders } from './requestSignature.ts'

export interface WebhookPost {
  url: string
  secrets: readonly string[]
  /** The same on every attempt, so that a receiver can recognize repeats. */
  eventId: string
  /** JSON text; signed and sent byte for byte. */
  body: string
  /** Milliseconds for the whole attempt. */
  deadline: number
  /** The trace in which the event was created; the post continues it. */
  traceparent?: string | null | undefined
}

/** The outcome of an attempt. Only the status of a response is kept (architecture, Outbound calls). */
export type WebhookAnswer = { latency_ms: number; status_code?: number; error?: OutboundFault }

/** Makes one attempt, with its own timestamp and signature. Never throws. */
export function postWebhook(outbound: Outbound, post: WebhookPost): Promise<WebhookAnswer> {
  const attributes = { 'marketplace.event_id': post.eventId }
  return tracedIn(post.traceparent, { name: 'post webhook', kind: 'client', attributes }, (span) => attemptPost(outbound, post, span))
}

async function attemptPost(
  outbound: Outbound,
  { url, secrets, eventId, body: text, deadline }: WebhookPost,
  span: OpenSpan | undefined,
): Promise<WebhookAnswer> {
  const body = Buffer.from(text) // encodes once, for both signatures and the post
  const headers: Record<string, string> = signatureHeaders({ id: eventId, body, timestamp: Math.floor(Date.now() / 1_000), secrets })
  headers['content-type'] = 'application/json'
  if (span !== undefined) headers.traceparent = span.traceparent
  const answer = await outbound.call({ method: 'POST', url, headers, body, deadline, maxBytes: 65_536 })
  const { latency_ms } = answer
  const outcome: WebhookAnswer = 'fault' in answer ? { latency_ms, error: answer.fault } : { latency_ms, status_code: answer.status }
  DELIVERY_ATTEMPTS.inc({ kind: 'webhook', outcome: 'fault' in answer ? answer.fault : statusClass(answer.status) })
  DELIVERY_TIMES.observe({ kind: 'webhook' }, latency_ms / 1_000)
  if (span !== undefined) endSpan(span, outcome)
  return outcome
}

function endSpan(span: OpenSpan, { status_code = 0, error }: WebhookAnswer): void {
  span.end(
    { 'http.response.status_code': status_code, ...(error && { 'error.type': error }) },
    { hasFailed: status_code < 200 || status_code >= 300 },
  )
}
