import { createHmac, timingSafeEqual } from 'node:crypto'

const TAG = 'edi+'

/**
 * Returns the return path of a mail: `edi+{message_id}.{10 hex}@{domain}`, where the hex proves that the platform made it. The address
 * of a bounce thus names the mail that bounced.
 */
export function bounceAddress(message_id: string, domain: string, key: Buffer): string {
  return `${TAG}${message_id}.${proofOf(message_id, key)}@${domain}`
}

/** Returns the message_id of a return path; undefined for an address that the platform did not make. */
export function bouncedMessage(address: string, domain: string, key: Buffer): string | undefined {
  // Message ids are lower case, but some mail servers change the case of addresses.
  const [, message_id = '', proof = '', at = ''] = RETURN_PATH.exec(address.toLowerCase()) ?? []
  if (at !== domain.toLowerCase()) return undefined
  return timingSafeEqual(Buffer.from(proof), Buffer.from(proofOf(message_id, key))) ? message_id : undefined
}

const RETURN_PATH = /^edi\+(edi_[0-9a-z]{1,40})\.([0-9a-f]{10})@(.+)$/

function proofOf(message_id: string, key: Buffer): string {
  return createHmac('sha256', key).update(message_id).digest('hex').slice(0, 10)
}
