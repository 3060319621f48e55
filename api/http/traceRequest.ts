import type { Request, Response } from 'express'
import type { Endpoint } from '../../src/contract/endpoints/endpoint.ts'
import { isTraced, traced } from '../../src/metrics/tracing.ts'

/**
 * Serves a known caller's request in a span, named after its endpoint's path, in the trace that the sender names. The span lasts until the
 * reply is sent. Strangers' requests get no span, since they would fill the queue of spans to be sent.
 */
export function traceRequest(
  req: Request,
  res: Response,
  { path }: Pick<Endpoint, 'path'>,
  serve: (trace?: string) => Promise<void>,
): Promise<void> {
  if (!isTraced()) return serve()
  const { method } = req
  const { traceparent } = req.headers
  const route = `/v1${path}`
  return new Promise((resolve, reject) => {
    const parent = typeof traceparent === 'string' ? traceparent : undefined
    const attributes = { 'http.request.method': method, 'http.route': route }
    void traced({ name: `${method} ${route}`, kind: 'server', parent, attributes }, async (span) => {
      const answered = new Promise<void>((closed) => {
        if (res.destroyed) closed()
        else res.once('close', closed)
      })
      serve(span?.traceparent).then(resolve, reject) // the error handler answers failures
      await answered
      span?.end({ 'http.response.status_code': res.statusCode }, { hasFailed: res.statusCode >= 500 })
    })
  })
}
