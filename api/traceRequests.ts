import type { RequestHandler } from 'express'
import { traced } from '../src/metrics/tracing.ts'

/** A span for each request, in the trace that its sender names, under the path of its endpoint. */
export const traceRequests: RequestHandler = (req, res, next) => {
  const { method } = req
  const { traceparent } = req.headers
  const answered = new Promise<void>((resolve) => {
    res.once('close', resolve)
  })
  const parent = typeof traceparent === 'string' ? traceparent : undefined
  void traced({ name: method, kind: 'server', parent }, async (span) => {
    next()
    await answered
    const route = (req.route as { path?: string } | undefined)?.path ?? 'none'
    const attributes = { 'http.request.method': method, 'http.route': route, 'http.response.status_code': res.statusCode }
    span?.end(attributes, { name: `${method} ${route}`, hasFailed: res.statusCode >= 500 })
  })
}
