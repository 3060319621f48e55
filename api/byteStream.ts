import type { Request } from 'express'
import { Refusal } from '../src/domain/refusal.ts'
import type { ByteStream } from './endpoint.ts'

/** The body of a request as it comes in. An inflated body would not be the bytes that were sent: an encoding is refused. */
export function byteStream(req: Request): ByteStream {
  const encoding = req.headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') {
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'Send the body without a content encoding.')
  }
  const { 'content-length': length, 'transfer-encoding': transfer } = req.headers
  return { bytes: bytesOf(req), length: transfer === undefined ? Number(length ?? 0) : undefined }
}

async function* bytesOf(req: Request): AsyncGenerator<Uint8Array> {
  // The server itself ends what takes longer; this is for a client that stays after that.
  const late = setTimeout(() => req.destroy(), LONGEST_MS)
  try {
    // A handler that has seen enough must still be able to answer.
    yield* req.iterator({ destroyOnReturn: false })
  } catch {
    throw new Refusal('MALFORMED_REQUEST', 'The body ended before its stated length.')
  } finally {
    clearTimeout(late)
    req.resume()
  }
}

const LONGEST_MS = 310_000
