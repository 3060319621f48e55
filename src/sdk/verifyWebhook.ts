import { createHmac, timingSafeEqual } from 'node:crypto'

/** A request as received, with header names in lower case, as Node gives them. */
export interface SignedRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The bytes of the body before it is parsed. */
  body: string | Uint8Array
}

/** Reports why a request cannot be trusted. */
export class WebhookFault extends Error {
  override name = 'WebhookFault'
}

/**
 * Returns the parsed event of a webhook if its `X-Signature` proves that the platform sent it within the last five minutes. Otherwise
 * throws WebhookFault: answer such a request with 400, and do nothing else. `secret` is the endpoint's secret, as `whsec_…`.
 */
export function verifyWebhook<Event = unknown>({ headers, body }: SignedRequest, secret: string, now: Date = new Date()): Event {
  const header = headers['x-signature']
  if (typeof header !== 'string') throw new WebhookFault('There is no X-Signature.')
  const parts = header.split(',').map((part) => part.split('=', 2) as [string, string | undefined])
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookFault('X-Signature has no timestamp.')
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS) throw new WebhookFault('The timestamp is too far from now.')
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${timestamp}.`).update(body).digest()
  // During a rotation the request has a signature for each secret; one correct signature is enough.
  const isOurs = parts.some(([name, value]) => {
    const sent = Buffer.from(name === 'v1' ? (value ?? '') : '', 'hex')
    return sent.length === expected.length && timingSafeEqual(sent, expected)
  })
  if (!isOurs) throw new WebhookFault('No signature is by this secret.')
  return JSON.parse(Buffer.from(body).toString()) as Event
}

const TOLERANCE_SECONDS = 300
