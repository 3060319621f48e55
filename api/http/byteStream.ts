import type { Request } from 'express'
import type { ByteStream } from '../../src/contract/endpoints/endpoint.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import { watchBodyProgress } from './bodyProgress.ts'
import { inviteBody, requireNoEncoding, statedLength } from './readBody.ts'

/** Returns the body of a request as a stream. */
export function byteStream(req: Request): ByteStream {
  requireNoEncoding(req)
  return { bytes: bytesOf(req), length: statedLength(req) }
}

async function* bytesOf(req: Request): AsyncGenerator<Uint8Array> {
  let received = 0
  let late: Refusal | undefined
  inviteBody(req)
  const stopWatch = watchBodyProgress(
    () => received,
    LONGEST_MS,
    (refusal) => {
      late = refusal
      req.destroy()
    },
  )
  try {
    // The connection stays open, since a handler that needs no more bytes must still be able to answer.
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      received += (chunk as Uint8Array).length
      yield chunk as Uint8Array
    }
  } catch {
    throw late ?? new Refusal('MALFORMED_REQUEST', 'The body ended before its stated length.')
  } finally {
    stopWatch()
    req.resume()
  }
}

/** The limit for a client that stays although the server itself ends requests after 300 s. */
const LONGEST_MS = 310_000
