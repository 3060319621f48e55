import { type Context, SpanKind, trace } from '@opentelemetry/api'
import { type Sampler, SamplingDecision } from '@opentelemetry/sdk-trace-base'
import type { RateLimit } from '../config/index.ts'
import { tokenBuckets } from '../domain/tokenBuckets.ts'

/**
 * Records the traces of as many requests to each endpoint as `limit` allows, so that what traces cost is bounded however busy the API is, and those
 * of an endpoint that is seldom called are complete. A request whose sender does not record it is not recorded. All spans after that of the
 * request, in whichever process, follow its decision.
 */
export function requestSampler(limit: RateLimit, now?: () => number): Sampler {
  const recorded = tokenBuckets(limit, now)
  const isRecorded = (context: Context, name: string, kind: SpanKind): boolean => {
    const parent = trace.getSpanContext(context)
    if (parent !== undefined && (parent.traceFlags & 1) === 0) return false
    if (kind !== SpanKind.SERVER) return true
    return recorded.take(name, 1) === 0
  }
  return {
    shouldSample: (context, _traceId, name, kind) => ({
      decision: isRecorded(context, name, kind) ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
    }),
    toString: () => `requestSampler{${limit.perSecond}/${limit.burst}}`,
  }
}
