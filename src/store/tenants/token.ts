import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const FORM = /^omp_(?:test|live)_[0-9A-Za-z]{30}([0-9A-Za-z]{6})$/

/** Returns a new token: `omp_test_` or `omp_live_`, 30 random base62 digits, 6 of checksum (choices, Identity). */
export function newToken(kind: 'test' | 'live'): string {
  const random = Array.from({ length: 30 }, () => BASE62[randomInt(62)]).join('')
  const body = `omp_${kind}_${random}`
  return body + checksum(body)
}

/** Returns true if a token has a valid checksum, so that junk is refused without a read. */
export function isTokenForm(token: string): boolean {
  const [, sent] = FORM.exec(token) ?? []
  return sent !== undefined && checksum(token.slice(0, -6)) === sent
}

/** Returns the hash of a token or of a session's secret; only the hash is stored. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < 6; i++) {
    digits = BASE62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
