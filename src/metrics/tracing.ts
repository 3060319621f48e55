type Attributes = Readonly<Record<string, string | number>>

/** What a span is called, and what it says: ids, names and numbers of the platform, never what tenants write. */
export interface SpanOf {
  readonly name: string
  readonly kind?: 'server' | 'client' | 'consumer'
  /** A W3C `traceparent`. Without one, or with one that cannot be read, the span begins a trace. */
  readonly parent?: string | undefined
  readonly attributes?: Attributes
}

/** A span under way. It is handed on to what it causes: AsyncLocalStorage of Node.js 20 makes every promise of a process dearer. */
export interface OpenSpan {
  /** The W3C `traceparent` of what it causes. */
  readonly traceparent: string
  /** What is known of it at its end. */
  end(attributes: Attributes, how?: { readonly hasFailed?: boolean }): void
}

/** How the traces of a process are made. */
export interface Tracing {
  /** Does the work in a span, which ends with it; it has failed where the work fails. */
  inSpan<T>(of: SpanOf, work: (span: OpenSpan) => Promise<T>): Promise<T>
  /** Sends what is left, for a second at most. */
  close(): Promise<void>
}

/** The log of a process. */
export interface TracingLog {
  warn(about: object, message: string): void
  info(message: string): void
}

let tracing: Pick<Tracing, 'inSpan'> | undefined

/** Whether there are traces, so that what carries them on is worth reading. */
export function isTraced(): boolean {
  return tracing !== undefined
}

/**
 * Starts the traces of a process (`api`, `worker`) where an endpoint for them is set; their library is loaded only then. Undefined: they are off.
 * The log says once that spans cannot be sent and are dropped, and once that they are sent again.
 */
export async function startTracing(
  { tracesUrl }: { readonly tracesUrl: string | undefined },
  process: string,
  log: TracingLog,
): Promise<Pick<Tracing, 'close'> | undefined> {
  if (tracesUrl === undefined) return undefined
  const { openTracing } = await import('./openTelemetry.ts')
  const opened = openTracing(tracesUrl, process, log)
  tracing = opened
  return opened
}

/** Does the work in a span, if there are traces. */
export function traced<T>(span: SpanOf, work: (span?: OpenSpan) => Promise<T>): Promise<T> {
  return tracing === undefined ? work() : tracing.inSpan(span, work)
}

/** The same in the trace of `parent`; without one there is no span. */
export function tracedIn<T>(parent: string | null | undefined, span: SpanOf, work: (span?: OpenSpan) => Promise<T>): Promise<T> {
  return typeof parent === 'string' ? traced({ ...span, parent }, work) : work()
}
