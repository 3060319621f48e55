import type { ErrorRequestHandler, Response } from 'express'
import { ERRORS } from '../src/contract/vocabulary.ts'
import { envelopeOf } from '../src/domain/envelope.ts'
import { Refusal } from '../src/domain/refusal.ts'

/** The one place that turns a refusal into a status. Nothing of a driver or a stack ever reaches the caller. */
export function errorHandler(report: (error: unknown, res: Response) => void): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    if (res.headersSent) {
      report(error, res)
      return next(error)
    }
    const refusal = asRefusal(error)
    if (ERRORS[refusal.code].status >= 500) report(error, res)
    sendRefusal(res, refusal)
  }
}

export function sendRefusal(res: Response, refusal: Refusal): void {
  const { status } = ERRORS[refusal.code]
  res.setHeader('Cache-Control', 'no-store')
  if (status === 401) res.setHeader('WWW-Authenticate', 'Bearer')
  if (status === 503) res.setHeader('Retry-After', '1')
  if (status === 429) res.setHeader('Retry-After', String(refusal.details.retry_after ?? 1))
  res
    .status(status)
    .type('application/json')
    .send(JSON.stringify(envelopeOf(refusal)))
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const { code, status, type } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: unknown
    status?: unknown
    type?: unknown
  }
  if (type === 'entity.too.large') return new Refusal('PAYLOAD_TOO_LARGE', 'The body is larger than this endpoint takes.')
  if (type === 'encoding.unsupported') return new Refusal('UNSUPPORTED_MEDIA_TYPE', 'Send the body without a content encoding.')
  if (type === 'request.aborted' || type === 'request.size.invalid')
    return new Refusal('MALFORMED_REQUEST', 'The body ended before its stated length.')
  if (status === 400) return new Refusal('MALFORMED_REQUEST', 'The path or the query is not validly encoded.')
  if (typeof code === 'string' && (UNREACHABLE.has(code) || code.startsWith('08') || code.startsWith('57'))) {
    return new Refusal('UNAVAILABLE', 'The service cannot reach its database right now; try again.')
  }
  if (error instanceof Error && LOST_CONNECTION.test(error.message)) {
    return new Refusal('UNAVAILABLE', 'The service cannot reach its database right now; try again.')
  }
  return new Refusal('INTERNAL', 'Something went wrong on our side; the request id names it.')
}

/** Classes 08 (connection) and 57 (operator intervention: shutdown, time limit) of Postgres, 53300 (too many connections), and the socket's own. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  '53300',
  '40001',
  '40P01',
  '25P03',
])
/** What pg says without a code. */
const LOST_CONNECTION =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired)/
