import type { Request, Response } from 'express'
import { HTTP_IN_FLIGHT, HTTP_REQUESTS } from '../../src/metrics/http.ts'
import { statusClass } from '../../src/metrics/work.ts'

/** Measures a request under its endpoint's path, never under the path that was sent, with which strangers could create series at will. */
export function measureRequest(req: Request, res: Response): void {
  const began = performance.now()
  HTTP_IN_FLIGHT.inc()
  res.once('close', () => {
    HTTP_IN_FLIGHT.dec()
    const labels = {
      route: (req.route as { path?: string } | undefined)?.path ?? 'none',
      method: METHODS.has(req.method) ? req.method : 'other',
      status_class: res.writableFinished ? statusClass(res.statusCode) : 'closed',
    }
    HTTP_REQUESTS.observe(labels, (performance.now() - began) / 1_000)
  })
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
