import type { Request } from 'express'
import { Refusal } from '../../src/domain/refusal.ts'
import { type BodyBounds, readBody } from './readBody.ts'

/** Reads the bytes of a JSON body into memory. UNSUPPORTED_MEDIA_TYPE if the request declares another type. */
export function readJson(req: Request, limit: number, admit: BodyBounds['admit'], spanMs?: number): Promise<Buffer> {
  if (!/^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(req.headers['content-type'] ?? '')) {
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json in UTF-8.')
  }
  return readBody(req, { limit, admit, spanMs })
}
