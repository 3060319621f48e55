/** Headers as they arrived: `Headers`, or an object with names in lower case as Node gives them. */
export type SentHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** A request that cannot be trusted: answer it 400, and do nothing else. */
export class WebhookFault extends Error {
  override readonly name = 'WebhookFault'
}

const TOLERANCE_SECONDS = 300

/**
 * Returns the parsed event of a webhook if its `X-Signature` proves that the marketplace sent it within the last five minutes; fails with
 * WebhookFault otherwise. `body` is what arrived, before anything parses it; `secret` is the endpoint's, as `whsec_…`.
 */
export async function verifyWebhook<Event = unknown>(
  { headers, body }: { headers: SentHeaders; body: string | Uint8Array },
  secret: string,
  now: Date = new Date(),
): Promise<Event> {
  const header = headers instanceof Headers ? headers.get('X-Signature') : headers['x-signature']
  if (typeof header !== 'string') throw new WebhookFault('There is no X-Signature.')
  const parts = header.split(',').map((part) => part.split('=', 2))
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookFault('X-Signature has no timestamp.')
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS) throw new WebhookFault('The timestamp is too far from now.')
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const signed = concatenated(new TextEncoder().encode(`${timestamp}.`), bytes)
  const raw = Uint8Array.from(atob(secret.replace(/^whsec_/, '')), (letter) => letter.charCodeAt(0))
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  // During a rotation there is a signature for each secret, and one that is right is enough. The comparison is that of the platform.
  const sent = parts.flatMap(([name, value = '']) => (name === 'v1' && /^[0-9a-f]{64}$/i.test(value) ? [ofHex(value)] : []))
  const verdicts = await Promise.all(sent.map((signature) => crypto.subtle.verify('HMAC', key, signature, signed)))
  if (!verdicts.includes(true)) throw new WebhookFault('No signature is by this secret.')
  return JSON.parse(new TextDecoder().decode(bytes)) as Event
}

function concatenated(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length)
  whole.set(first)
  whole.set(second, first.length)
  return whole
}

function ofHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))
}
