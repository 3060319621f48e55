import type { RequestHandler } from 'express'
import { HTTP_IN_FLIGHT, HTTP_REQUESTS } from '../src/metrics/http.ts'
import { statusClass } from '../src/metrics/work.ts'

/** Measures each request under the path of its endpoint, never under the path that was sent: strangers would make series at will. */
export const measureRequests: RequestHandler = (req, res, next) => {
  const answered = HTTP_REQUESTS.startTimer()
  HTTP_IN_FLIGHT.inc()
  res.once('close', () => {
    HTTP_IN_FLIGHT.dec()
    answered({
      route: (req.route as { path?: string } | undefined)?.path ?? 'none',
      method: METHODS.has(req.method) ? req.method : 'other',
      status_class: res.writableFinished ? statusClass(res.statusCode) : 'closed',
    })
  })
  next()
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
