import { describe, expect, it } from '@jest/globals'
import { ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api'
import { SamplingDecision } from '@opentelemetry/sdk-trace-base'
import { requestSampler } from '../../src/metrics/requestSampler.ts'

const TRACE = '1'.repeat(32)
const sentWith = (traceFlags: number) =>
  trace.setSpanContext(ROOT_CONTEXT, { traceId: TRACE, spanId: '2'.repeat(16), traceFlags, isRemote: true })

/** How many of so many spans are recorded. */
function recordedOf(
  sampler: ReturnType<typeof requestSampler>,
  {
    spans,
    name = 'GET /v1/orders',
    kind = SpanKind.SERVER,
    context = ROOT_CONTEXT,
  }: { spans: number; name?: string; kind?: SpanKind; context?: typeof ROOT_CONTEXT },
): number {
  const decided = Array.from({ length: spans }, () => sampler.shouldSample(context, TRACE, name, kind, {}, []).decision)
  return decided.filter((decision) => decision === SamplingDecision.RECORD_AND_SAMPLED).length
}

describe('the sampler of requests', () => {
  const limit = { perSecond: 5, burst: 20 }
  /** At a time that stands still. */
  const sampler = () => requestSampler(limit, () => 0)

  it('records a burst of each endpoint, whether a sender began its traces or not', () => {
    const one = sampler()
    expect(recordedOf(one, { spans: 15 })).toBe(15)
    expect(recordedOf(one, { spans: 15, context: sentWith(1) })).toBe(5)
    expect(recordedOf(one, { spans: 30, name: 'GET /v1/sellers' })).toBe(20)
  })

  it('records so many a second from then on', () => {
    let now = 0
    const one = requestSampler(limit, () => now)
    recordedOf(one, { spans: 20 })
    const later = [400, 1_000, 1_000].map((ms) => {
      now += ms
      return recordedOf(one, { spans: 50 })
    })
    expect(later).toEqual([2, 5, 5])
  })

  it('records no request whose sender does not, and counts none of them', () => {
    const one = sampler()
    expect(recordedOf(one, { spans: 50, context: sentWith(0) })).toBe(0)
    expect(recordedOf(one, { spans: 50 })).toBe(20)
  })

  it('follows what was decided of the request for every span after it', () => {
    const one = sampler()
    for (const kind of [SpanKind.INTERNAL, SpanKind.CLIENT, SpanKind.CONSUMER]) {
      expect(recordedOf(one, { spans: 100, kind, context: sentWith(1) })).toBe(100)
      expect(recordedOf(one, { spans: 100, kind, context: sentWith(0) })).toBe(0)
    }
  })
})
