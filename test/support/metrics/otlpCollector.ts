import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import protobuf from 'protobufjs'

/** A span as a collector receives it; ids in hex. */
export interface CollectedSpan {
  readonly service: string
  readonly traceId: string
  readonly spanId: string
  /** Empty if the span begins its trace. */
  readonly parentSpanId: string
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly hasFailed: boolean
}

/** A real server on this machine that accepts traces by OTLP over HTTP and reads them by the published schema. */
export interface Collector {
  /** The value for OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string
  readonly spans: readonly CollectedSpan[]
  /** Returns every byte that was sent to it. */
  bytes(): Buffer
  /** Returns how often it has received a request. */
  asked(): number
  /** Sets how it behaves from now on. */
  behave(how: 'takes' | 'resets' | 'hangs'): void
  close(): void
}

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const received: Buffer[] = []
  let how: Parameters<Collector['behave']>[0] = 'takes'
  let asked = 0
  const server = createServer((req, res) => {
    asked += 1
    if (how === 'resets') return void req.socket.destroy()
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      if (how === 'hangs') return
      const body = Buffer.concat(chunks)
      received.push(body)
      if (req.url === '/v1/traces') spans.push(...spansOf(body))
      res.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bytes: () => Buffer.concat(received),
    asked: () => asked,
    behave: (next) => {
      how = next
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The part of opentelemetry-proto 1.x that is read; fields not named here are skipped. */
const SCHEMA = `
  syntax = "proto3";
  message Export { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; repeated KeyValue attributes = 9; Status status = 15;
  }
  message Status { string message = 2; int32 code = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }`

const EXPORT = protobuf.parse(SCHEMA, { keepCase: false }).root.lookupType('Export')
const FAILED = 2

interface Attribute {
  key: string
  value: Record<string, unknown>
}
interface Sent {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: {
      spans: {
        traceId: Buffer
        spanId: Buffer
        parentSpanId: Buffer
        name: string
        attributes: Attribute[]
        status: { message: string; code: number } | null
      }[]
    }[]
  }[]
}

function spansOf(body: Buffer): CollectedSpan[] {
  const sent = EXPORT.toObject(EXPORT.decode(body), { longs: Number, arrays: true, defaults: true }) as Sent
  return sent.resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name'])
    return scopeSpans
      .flatMap(({ spans }) => spans)
      .map(({ traceId, spanId, parentSpanId, name, attributes, status }) => ({
        service,
        ...{ traceId: hex(traceId), spanId: hex(spanId), parentSpanId: hex(parentSpanId), name },
        attributes: valuesOf(attributes),
        hasFailed: status?.code === FAILED,
      }))
  })
}

function valuesOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
