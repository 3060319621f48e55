import { hash } from 'node:crypto'

/** An order's record as it is stored, with each part as text. */
export interface AuditedRecord {
  order_id: string
  /** The SHA-256, in hex, of the create's bytes. */
  sent_sha256: string
  request: string
  facts: string
  reply: string
}

/** Names the hashing method, which docs/buy/verifying-an-order.md describes. */
export const AUDIT_ALGORITHM = 'order-audit-1'

/**
 * Returns the hash that the first event follows. Hashes each part separately, so that a reader from whom one is withheld can still verify
 * the rest: only the buyer sees the reply and the endpoint of notify_url.
 */
export function recordHash({ order_id, sent_sha256, request, facts, reply }: AuditedRecord): string {
  const parts = [request, sharedFacts(facts), reply, notifyEndpoint(facts)].map(sha256)
  return sha256([AUDIT_ALGORITHM, order_id, sent_sha256, ...parts].join('\n'))
}

/** Returns an event's hash, over the previous hash and the event's own bytes. */
export function eventHash(previous: string, seq: number, body: string): string {
  return sha256(`${previous}\n${seq}\n${body}`)
}

/** Returns events as they are stored after the one with hash `last`, each with its hash. */
export function chained<Event extends { seq: number }>(
  last: string,
  events: readonly Event[],
): { event: Event; body: string; hash: string }[] {
  let previous = last
  return events.map((event) => {
    const body = JSON.stringify(event)
    previous = eventHash(previous, event.seq, body)
    return { event, body, hash: previous }
  })
}

/** Returns the stored facts without the buyer's private member. Within a JSON string the pattern's quotes would be escaped. */
export function sharedFacts(facts: string): string {
  return facts.replace(NOTIFY_ENDPOINT, '')
}

/** Returns the endpoint of notify_url; empty if the order has none. */
export function notifyEndpoint(facts: string): string {
  return NOTIFY_ENDPOINT.exec(facts)?.[1] ?? ''
}

/** SQL: the hash of an event, in hex. */
export function hashColumn(event: string): string {
  return `encode(${event}.hash, 'hex')`
}

export function sha256(text: string): string {
  return hash('sha256', text, 'hex')
}

const NOTIFY_ENDPOINT = /,"notify_endpoint":"([^"]*)"/
