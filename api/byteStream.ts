import type { Request } from 'express'
import type { ByteStream } from '../src/contract/endpoints/endpoint.ts'
import { Refusal } from '../src/domain/refusal.ts'
import { watchBodyProgress } from './bodyProgress.ts'
import { inviteBody, requireNoEncoding, statedLength } from './readBody.ts'

/** The body of a request as it comes in. */
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
    // A handler that has seen enough must still be able to answer.
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

/** The server itself ends what takes longer than 300 s; this is for a client that stays after that. */
const LONGEST_MS = 310_000
