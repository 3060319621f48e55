import type { Request, Response } from 'express'
import type { Logger } from 'pino'
import type { ErrorReports } from './errors.ts'

/** The key in `res.locals` of the request's tenant and of the order that its path names. */
const KNOWN = 'known'

/** Keeps the path parameters for the request's log lines, since Express no longer knows them when errors are handled. */
export function rememberForLog({ params }: Pick<Request, 'params'>, res: Response, tenant: string): void {
  const { order_id } = params
  // The path may contain any text in place of an id.
  const isId = typeof order_id === 'string' && /^ord_[0-9a-z]{26}$/.test(order_id)
  res.locals[KNOWN] = isId ? { tenant, order_id } : { tenant }
}

/** Writes one log line per failed request, with the id that its reply carries. */
export function requestLog(log: Logger): ErrorReports {
  const named = (res: Response) => ({ request_id: res.getHeader('X-Request-Id'), ...res.locals[KNOWN] })
  return {
    failed: (error, res) => log.error({ ...named(res), err: error }, 'request failed'),
    unavailable: (reason, res) => log.error({ ...named(res), reason }, 'answered 503'),
  }
}
