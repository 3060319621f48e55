import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz'
export type IdPrefix =
  | 'ord_'
  | 'plan_'
  | 'prod_'
  | 'unit_'
  | 'upl_'
  | 'evt_'
  | 'whe_'
  | 'agr_'
  | 'lr_'
  | 'so_'
  | 'cred_'
  | 'cmd_'
  | 'req_'
  | 'crv_'
  | 'quote_'
  | 'hold_'
  | 'sec_'
  | 'sfk_'
  | 'sub_'
  | 'edi_'
  | 'inv_'
  | 'fresh_'
  | 'sandbox_'
  | 'mkg_'

/** Returns a new id: prefix + uuid v7 in base32 (choices, Ids). Time-ordered, so that indexes grow at one end and ids sort by age. */
export function newId(prefix: IdPrefix): string {
  return prefix + base32(v7({ random: randomness() }, new Uint8Array(16)))
}

/** Returns the lowest id of a moment: earlier ids sort below it, ids made from then on do not. */
export function leastIdAt(prefix: IdPrefix, milliseconds: number): string {
  const bytes = new Uint8Array(16)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(milliseconds) << 16n)
  return prefix + base32(bytes)
}

/** Encodes bytes as the text of an id, without a prefix. */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += CROCKFORD[(held >>> bits) & 31]
    }
    held &= (1 << bits) - 1
  }
  return text + CROCKFORD[(held << (5 - bits)) & 31]
}

const UUID_BYTES = 16
const POOL = new Uint8Array(UUID_BYTES * 512)
let used = POOL.length

/** Returns random bytes, drawn from the system for many ids at once: drawn one by one, they are most of an id's cost. */
function randomness(): Uint8Array {
  if (used === POOL.length) {
    randomFillSync(POOL)
    used = 0
  }
  used += UUID_BYTES
  return POOL.subarray(used - UUID_BYTES, used)
}
