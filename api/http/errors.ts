import type { ErrorRequestHandler, Request, Response } from 'express'
import { isStorageFault } from '../../src/adapters/files/objectStorage/storageFault.ts'
import { ERRORS } from '../../src/contract/vocabulary/codes.ts'
import { envelopeOf } from '../../src/domain/envelope.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import { HTTP_RATE_LIMITED, REFUSALS } from '../../src/metrics/http.ts'
import { isDatabaseAway, isStatementTooLong } from '../../src/store/connection/databaseFault.ts'
import { escapedHtml, sendPage, sentencePage } from '../pages/sentencePage.ts'
import { closeAfterReply, hasMuchUnread } from './closeAfterReply.ts'

export interface ErrorReports {
  /** Reports a fault of the service, which is logged for operators. */
  failed(error: unknown, res: Response): void
  /** Reports every refusal and failure of a request. */
  refused(refusal: Refusal, req: Request, res: Response): void
  /** Reports that a dependency is unavailable, in one line per request, since there will be many. */
  unavailable(reason: string, res: Response): void
}

/** Turns refusals into statuses, in this one place. No text of a driver and no stack trace ever reaches the caller. */
export function errorHandler({ failed, refused, unavailable }: ErrorReports): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    if (res.headersSent) {
      failed(error, res)
      return next(error)
    }
    const refusal = asRefusal(error)
    const { status } = ERRORS[refusal.code]
    if (refusal.code === 'UNAVAILABLE') unavailable(reasonOf(error), res)
    else if (status >= 500) failed(error, res)
    refused(refusal, req, res)
    if (hasMuchUnread(req)) closeAfterReply(req, res)
    sendRefusal(res, refusal)
  }
}

export function sendRefusal(res: Response, refusal: Refusal): void {
  const { status } = ERRORS[refusal.code]
  REFUSALS.inc({ code: refusal.code })
  if (status === 429) HTTP_RATE_LIMITED.inc()
  res.setHeader('Cache-Control', 'no-store')
  if (status === 401) res.setHeader('WWW-Authenticate', 'Bearer')
  if (status === 503) res.setHeader('Retry-After', '1')
  if (status === 429) res.setHeader('Retry-After', String(refusal.details.retry_after ?? 1))
  if (res.locals[FOR_PEOPLE] === true) sendPage(res, pageOf(refusal, String(res.getHeader('X-Request-Id'))), status)
  else
    res
      .status(status)
      .type('application/json')
      .send(JSON.stringify(envelopeOf(refusal)))
}

/** The key in `res.locals` that marks a reply shown to a person in a browser, so that a refusal is sent as a page. */
export const FOR_PEOPLE = 'forPeople'

function pageOf({ code, message }: Refusal, requestId: string): string {
  const more = `<p><a href="/console/">Back to the sign-in</a></p><p><small>${code}, request ${requestId}</small></p>`
  return sentencePage('You are not signed in', escapedHtml(message), { more })
}

/** Returns the reason of an outage. A host with several addresses fails with a code and without a message. */
function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string }
  return message || code || String(error)
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const { code, status } = (typeof error === 'object' && error !== null ? error : {}) as { code?: unknown; status?: unknown }
  if (status === 400) return new Refusal('MALFORMED_REQUEST', 'The path or the query is not validly encoded.')
  if (isStorageFault(error)) return new Refusal('UNAVAILABLE', 'The service cannot reach its file store right now; try again.')
  if (isStatementTooLong(error))
    return new Refusal('UNAVAILABLE', 'The request took longer than one may take in the database: ask for less at once, or try again.')
  if (isDatabaseAway(error) || (typeof code === 'string' && LOST_RACE.has(code)))
    return new Refusal('UNAVAILABLE', 'The service cannot reach its database right now; try again.')
  return new Refusal('INTERNAL', 'Something went wrong on our side; the request id names it.')
}

/** Serialization failure and deadlock: the database let another transaction win. */
const LOST_RACE = new Set(['40001', '40P01'])
