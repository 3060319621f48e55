type Attributes = Readonly<Record<string, string | number>>

/** The name and the attributes of a span: ids, names and numbers of the platform, never text of tenants. */
export interface SpanOf {
  readonly name: string
  readonly kind?: 'server' | 'client' | 'consumer'
  /** A W3C `traceparent`. Without one, or with one that cannot be read, the span begins a trace. */
  readonly parent?: string | undefined
  readonly attributes?: Attributes
}

/** A span in progress. It is passed explicitly to its effects, since AsyncLocalStorage of Node.js 20 slows every promise of a process. */
export interface OpenSpan {
  /** The W3C `traceparent` for the effects of this span. */
  readonly traceparent: string
  /** Ends the span, with the attributes that are known only now. */
  end(attributes: Attributes, how?: { readonly hasFailed?: boolean }): void
}

/** The tracer of a process. */
export interface Tracing {
  /** Does the work in a span, which ends with it; the span has failed if the work fails. */
  inSpan<T>(of: SpanOf, work: (span: OpenSpan) => Promise<T>): Promise<T>
  /** Sends the remaining spans, for a second at most. */
  close(): Promise<void>
}

/** The log of a process. */
export interface TracingLog {
  warn(about: object, message: string): void
  info(message: string): void
}
