import { createHmac, timingSafeEqual } from 'node:crypto'
import { Refusal } from '../../src/domain/refusal.ts'

/** Writes a list position as opaque, signed text. `bound` ties it to the question (tenant, filters); with any other it is refused. */
export function writeCursor(key: Buffer, bound: readonly string[], position: readonly (string | number)[]): string {
  const payload = Buffer.from(JSON.stringify(position)).toString('base64url')
  return `${payload}.${signature(key, bound, payload)}`
}

export function readCursor(key: Buffer, bound: readonly string[], cursor: string, field: string): (string | number)[] {
  const [payload = '', signed = ''] = cursor.split('.')
  const expected = Buffer.from(signature(key, bound, payload))
  const sent = Buffer.from(signed)
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) {
    throw new Refusal('INVALID_INPUT', 'The cursor is not one of this list: pass a next_cursor unchanged, with the same filters.', {
      field,
    })
  }
  return JSON.parse(Buffer.from(payload, 'base64url').toString())
}

function signature(key: Buffer, bound: readonly string[], payload: string): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([bound, payload]))
    .digest('base64url')
    .slice(0, 22)
}
