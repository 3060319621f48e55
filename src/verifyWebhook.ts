import { createHmac, timingSafeEqual } from 'node:crypto'

/** A request as it came. Header names in lower case, as Node gives them. */
export interface SignedRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The bytes of the body, before anything parses them. */
  body: string | Uint8Array
}

/** Why a request is not to be believed. */
export class WebhookFault extends Error {
  override name = 'WebhookFault'
}

/**
 * What a webhook says, once its `X-Signature` proves that the platform sent it within the last five minutes: the parsed event. Throws
 * WebhookFault otherwise: answer such a request 400, and do nothing. `secret` is the endpoint's, as `whsec_…`.
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
  // While secrets rotate there is one for each; one that is right is enough.
  const isOurs = parts.some(([name, value]) => {
    const sent = Buffer.from(name === 'v1' ? (value ?? '') : '', 'hex')
    return sent.length === expected.length && timingSafeEqual(sent, expected)
  })
  if (!isOurs) throw new WebhookFault('No signature is by this secret.')
  return JSON.parse(Buffer.from(body).toString()) as Event
}

const TOLERANCE_SECONDS = 300
