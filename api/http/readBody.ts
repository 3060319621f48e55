import type { Request } from 'express'
import { Refusal } from '../../src/domain/refusal.ts'
import { watchBodyProgress } from './bodyProgress.ts'

export interface BodyBounds {
  /** The largest body, in bytes. */
  readonly limit: number
  /** Called before bytes are held, with the stated length or else with each chunk; throws to refuse them. */
  readonly admit: (bytes: number) => void
  /** The period over which its speed is measured, in milliseconds; default as for all bodies. */
  readonly spanMs?: number | undefined
}

/** The server waits as long as the slowest allowed body takes; a body read into memory gets less time (architecture, HTTP). */
const BODY_MS = 30_000

/** Reads a request's body into memory, and checks its stated length before the first byte. */
export async function readBody(req: Request, { limit, admit, spanMs }: BodyBounds): Promise<Buffer> {
  requireNoEncoding(req)
  const length = statedLength(req)
  if (length !== undefined) {
    if (length > limit) throw tooLarge(limit)
    admit(length)
  }
  inviteBody(req)
  return new Promise((resolve, reject) => {
    const taken = length !== undefined && length > WORTH_ALLOCATING ? takenInto(length) : takenTogether()
    let received = 0
    const refuse = (error: unknown) => {
      close()
      req.off('data', take)
      req.resume() // this discards the rest
      reject(error as Error)
    }
    const take = (chunk: Buffer) => {
      received += chunk.length
      try {
        if (received > limit) throw tooLarge(limit)
        if (length === undefined) admit(chunk.length)
        taken.add(chunk)
      } catch (error) {
        refuse(error)
      }
    }
    const finish = () => {
      close()
      resolve(taken.whole())
    }
    const breakOff = () => refuse(new Refusal('MALFORMED_REQUEST', 'The body ended before its stated length.'))
    const stopWatch = watchBodyProgress(() => received, BODY_MS, refuse, spanMs)
    const close = () => {
      stopWatch()
      req.off('end', finish).off('close', breakOff).off('error', breakOff)
    }
    req.on('data', take).once('end', finish).once('close', breakOff).once('error', breakOff)
  })
}

/** Above this size, a body of known length is assembled as it arrives, since assembling it at the end would block the request loop. */
const WORTH_ALLOCATING = 64 * 1024

interface Taken {
  add(chunk: Buffer): void
  whole(): Buffer
}

function takenTogether(): Taken {
  const chunks: Buffer[] = []
  return { add: (chunk) => void chunks.push(chunk), whole: () => Buffer.concat(chunks) }
}

function takenInto(length: number): Taken {
  const whole = Buffer.allocUnsafeSlow(length)
  let end = 0
  return {
    add(chunk) {
      end += chunk.copy(whole, end)
    },
    whole: () => whole.subarray(0, end),
  }
}

/** Refuses a content encoding, since an inflated body would differ from the bytes that were sent. */
export function requireNoEncoding({ headers }: Request): void {
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity') return
  throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'Send the body without a content encoding.')
}

/** Sends 100 Continue to a client that waits for it before sending its body. */
export function inviteBody(req: Request): void {
  if (req.headers.expect !== undefined) req.res?.writeContinue()
}

/** Returns the length of the body in bytes, if the client states it. */
export function statedLength({ headers }: Request): number | undefined {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined
}

function tooLarge(limit: number): Refusal {
  return new Refusal('PAYLOAD_TOO_LARGE', `The body is larger than the ${limit} bytes that this endpoint takes.`)
}
