import { createHmac } from 'node:crypto'

/** A request to sign: the exact bytes to send, and an id that is the same on every retry. */
export interface Signed {
  /** Contains no dot: the Standard Webhooks signature joins id, timestamp and body by dots. */
  id: string
  body: string | Buffer
  /** In Unix seconds. */
  timestamp: number
  /** `whsec_` + base64, newest first; two while a secret is being rotated. */
  secrets: readonly string[]
}

/**
 * Returns the headers that prove to a receiver that the platform sent a request (choices, Signature): `X-Signature` with the HMAC-SHA256 of
 * "timestamp.body" in hex, and the three Standard Webhooks headers with the HMAC of "id.timestamp.body" in base64. Both use the decoded secret.
 */
export function signatureHeaders({ id, body, timestamp, secrets }: Signed): Record<string, string> {
  const keys = keysOf(secrets)
  const mac = (key: Buffer, prefix: string) => createHmac('sha256', key).update(prefix).update(body)
  return {
    'x-signature': [`t=${timestamp}`, ...keys.map((key) => `v1=${mac(key, `${timestamp}.`).digest('hex')}`)].join(','),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': keys.map((key) => `v1,${mac(key, `${id}.${timestamp}.`).digest('base64')}`).join(' '),
  }
}

/** Keys decoded once per list of secrets, and kept for as long as that list is in memory. */
const decoded = new WeakMap<readonly string[], readonly Buffer[]>()

function keysOf(secrets: readonly string[]): readonly Buffer[] {
  const known = decoded.get(secrets)
  if (known !== undefined) return known
  const keys = secrets.map((secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
  decoded.set(secrets, keys)
  return keys
}
