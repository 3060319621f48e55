import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, DiagLogLevel, diag, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { ExportResultCode, parseTraceParent, setGlobalErrorHandler } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { RateLimit } from '../config/index.ts'
import { requestSampler } from './requestSampler.ts'
import type { OpenSpan, SpanOf, Tracing, TracingLog } from './span.ts'

/** Where the traces of a process go, and which of them are recorded. */
export interface TracesOf {
  /** Spans go to `/v1/traces` below it. */
  readonly url: string
  /** `api` or `worker`. */
  readonly process: string
  /** The traces that are recorded of requests to one endpoint. If undefined, OTEL_TRACES_SAMPLER decides. */
  readonly perEndpoint: RateLimit | undefined
}

/**
 * Sends traces by OTLP over HTTP. The library reads its other settings (OTEL_EXPORTER_OTLP_HEADERS, OTEL_TRACES_SAMPLER, ...) from the
 * environment. Code creates spans explicitly at the few places that matter, so nothing of this process is patched.
 */
export function openTracing(of: TracesOf, log: TracingLog): Tracing {
  const provider = openProvider(of, log)
  const tracer = provider.getTracer('order-marketplace')
  return {
    async inSpan({ name, kind, parent, attributes = {} }: SpanOf, work) {
      const span = tracer.startSpan(name, { kind: kind === undefined ? SpanKind.INTERNAL : KINDS[kind], attributes }, contextOf(parent))
      try {
        return await work(openSpan(span))
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR }) // the message may contain text of a tenant
        throw error
      } finally {
        span.end()
      }
    },
    close: async () => {
      await Promise.race([provider.shutdown().catch(() => undefined), sleep(LAST_MS, undefined, { ref: false })])
    },
  }
}

/** The longest wait of a process that stops, so that an unreachable collector does not delay it. */
const LAST_MS = 1_000

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER }

function openSpan(span: Span): OpenSpan {
  return {
    traceparent: traceparentOf(span),
    end: (attributes, { hasFailed = false } = {}) => {
      span.setAttributes(attributes)
      if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR })
    },
  }
}

/** Opens the provider. The library's remarks about its settings go to the log; the exporter reports later failures to send. */
function openProvider({ url, process, perEndpoint }: TracesOf, log: TracingLog): BasicTracerProvider {
  const quiet = () => undefined
  const tell = (why: string) => log.warn({ why }, 'a setting of OpenTelemetry cannot be used')
  diag.setLogger({ verbose: quiet, debug: quiet, info: quiet, warn: tell, error: tell }, { logLevel: DiagLogLevel.WARN })
  setGlobalErrorHandler(quiet)
  const exporter = telling(new OTLPTraceExporter({ url: `${url}${url.endsWith('/') ? '' : '/'}v1/traces` }), log)
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': `order-marketplace-${process}` }))
      .merge(detectResources({ detectors: [envDetector] })),
    ...(perEndpoint && { sampler: requestSampler(perEndpoint) }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  })
  diag.disable()
  return provider
}

/** Logs once that nothing can be sent, and once that it can again. Logs only the status of a reply, since the rest may be anything. */
function telling(exporter: SpanExporter, log: TracingLog): SpanExporter {
  let isAway = false
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const { code, message } = (result.error ?? {}) as NodeJS.ErrnoException
        const hasFailed = result.code !== ExportResultCode.SUCCESS
        if (hasFailed && !isAway) log.warn({ why: code ?? message }, 'traces cannot be sent; they are dropped until they can')
        if (!hasFailed && isAway) log.info('traces are sent again')
        isAway = hasFailed
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  }
}

function contextOf(parent: string | undefined): Context {
  const sent = parent === undefined ? null : parseTraceParent(parent)
  return sent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...sent, isRemote: true })
}

/** Returns a traceparent of version 00, with its only flag: whether the trace is recorded. */
function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`
}
