import type { Request, Response } from 'express'
import type { Logger } from 'pino'
import { ERRORS } from '../../src/contract/vocabulary/codes.ts'
import { pointerOf } from '../../src/domain/envelope.ts'
import type { Refusal } from '../../src/domain/refusal.ts'
import type { NewRefused } from '../../src/store/requests/refusedRequests.ts'
import type { ErrorReports } from './errors.ts'
import type { RefusedLog } from './refusedLog.ts'

/** The key in `res.locals` of the request's tenant and of the order that its path names. */
const KNOWN = 'known'

/** Keeps the path parameters for the request's log lines, since Express no longer knows them when errors are handled. */
export function rememberForLog({ params }: Pick<Request, 'params'>, res: Response, tenant: string): void {
  const { order_id } = params
  // The path may contain any text in place of an id.
  const isId = typeof order_id === 'string' && /^ord_[0-9a-z]{26}$/.test(order_id)
  res.locals[KNOWN] = isId ? { tenant, order_id } : { tenant }
}

/** The key in `res.locals` of what the tenant's own log of refused requests says of a request. */
const SENT = 'sent'

/** Keeps who has sent a request, and which operation it is, for the log that its tenant reads. */
export function rememberForTenant(res: Response, sent: Sent): void {
  res.locals[SENT] = sent
}
type Sent = Pick<NewRefused, 'tenant' | 'operation' | 'credential_id'>

/** Notes a refusal for its tenant: codes and pointers, never what was sent. A request without a credential is of no tenant. */
function noteRefusal(log: RefusedLog, { code, faults, details }: Refusal, req: Request, res: Response): void {
  const sent = res.locals[SENT] as Sent | undefined
  if (sent === undefined) return
  const fields = faults.length > 0 ? faults.map(({ field }) => field) : [details.field]
  log.note({
    ...sent,
    at: new Date().toISOString(),
    request_id: String(res.getHeader('X-Request-Id')),
    method: req.method,
    path: req.path,
    status: ERRORS[code].status,
    error_code: code,
    pointers: fields.flatMap((field) => (typeof field === 'string' ? [pointerOf(field)] : [])),
  })
}

/** Writes one log line per failed request, with the id that its reply carries, and notes each refused one for its tenant. */
export function requestLog(log: Logger, refusedRequests: RefusedLog): ErrorReports {
  const named = (res: Response) => ({ request_id: res.getHeader('X-Request-Id'), ...res.locals[KNOWN] })
  return {
    failed: (error, res) => log.error({ ...named(res), err: error }, 'request failed'),
    refused: (refusal, req, res) => noteRefusal(refusedRequests, refusal, req, res),
    unavailable: (reason, res) => log.error({ ...named(res), reason }, 'answered 503'),
  }
}
