import type { Request, Response } from 'express'
import type { Logger } from 'pino'
import type { ErrorReports } from './errors.ts'

/** In `res.locals`: whose request it is, and the order that its path names. */
const KNOWN = 'known'

/** Keeps the path parameters that log lines of a request show: Express no longer knows the path's parameters where errors are handled. */
export function rememberForLog({ params }: Pick<Request, 'params'>, res: Response, tenant: string): void {
  const { order_id } = params
  // Anything may have been typed where an id belongs.
  const isId = typeof order_id === 'string' && /^ord_[0-9a-z]{26}$/.test(order_id)
  res.locals[KNOWN] = isId ? { tenant, order_id } : { tenant }
}

/** Writes one line about each request that fails, with the id that its reply carries. */
export function requestLog(log: Logger): ErrorReports {
  const named = (res: Response) => ({ request_id: res.getHeader('X-Request-Id'), ...res.locals[KNOWN] })
  return {
    failed: (error, res) => log.error({ ...named(res), err: error }, 'request failed'),
    unavailable: (reason, res) => log.error({ ...named(res), reason }, 'answered 503'),
  }
}
