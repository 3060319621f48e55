import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** The keys of secrets: the first key seals, and every key opens. */
export type Keys = readonly [Buffer, ...Buffer[]]

/** Encrypts by AES-256-GCM under the first key. `place` names where the secret is kept: anywhere else it cannot be opened. */
export function sealUnder([key]: Keys, secret: string, place: string): Buffer {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
  const hidden = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), hidden])
}

/** Returns the secret, and the index of the key that opens it; undefined if no key does. */
export function openUnder(keys: Keys, sealed: Buffer, place: string): { secret: string; key: number } | undefined {
  for (const [index, key] of keys.entries()) {
    try {
      const cipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE), { authTagLength: TAG }).setAAD(Buffer.from(place))
      cipher.setAuthTag(sealed.subarray(NONCE, NONCE + TAG))
      return { secret: Buffer.concat([cipher.update(sealed.subarray(NONCE + TAG)), cipher.final()]).toString(), key: index }
    } catch {
      // the next key may open it
    }
  }
  return undefined
}

/** Returns the fingerprint that identifies a key in the database. */
export function fingerprintOf(key: Buffer): Buffer {
  return createHash('sha256').update('secrets key').update(key).digest().subarray(0, 8)
}

const NONCE = 12
const TAG = 16
