import type { Config } from '../config/index.ts'
import type { OpenSpan, SpanOf, Tracing, TracingLog } from './span.ts'

let tracing: Pick<Tracing, 'inSpan'> | undefined

/** Returns whether there are traces, so that callers skip reading a traceparent otherwise. */
export function isTraced(): boolean {
  return tracing !== undefined
}

/**
 * Starts the traces of a process (`api`, `worker`) if an endpoint is set, and only then loads their library. Returns undefined otherwise.
 * The log says once that spans cannot be sent and are dropped, and once that they are sent again.
 */
export async function startTracing(
  { tracesUrl, tracesPerEndpoint }: Pick<Config, 'tracesUrl' | 'tracesPerEndpoint'>,
  process: string,
  log: TracingLog,
): Promise<Pick<Tracing, 'close'> | undefined> {
  if (tracesUrl === undefined) return undefined
  const { openTracing } = await import('./openTelemetry.ts')
  const opened = openTracing({ url: tracesUrl, process, perEndpoint: tracesPerEndpoint }, log)
  tracing = opened
  return opened
}

/** Does the work in a span, if there are traces. */
export function traced<T>(span: SpanOf, work: (span?: OpenSpan) => Promise<T>): Promise<T> {
  return tracing === undefined ? work() : tracing.inSpan(span, work)
}

/** Does the work in a span of the trace of `parent`; without a parent there is no span. */
export function tracedIn<T>(parent: string | null | undefined, span: SpanOf, work: (span?: OpenSpan) => Promise<T>): Promise<T> {
  return typeof parent === 'string' ? traced({ ...span, parent }, work) : work()
}
