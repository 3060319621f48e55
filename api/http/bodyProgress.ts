import { Refusal } from '../../src/domain/refusal.ts'

/** The milliseconds in each of which a body must bring its least. */
export const SPAN_MS = 5_000
const BYTES_A_SECOND = 1024

/**
 * Watches a body arrive, and calls `late` once with a refusal if it is slower than 1 KiB/s over `spanMs` or takes longer than `max`
 * milliseconds. Returns a function that ends the watch.
 */
export function watchBodyProgress(
  received: () => number,
  max: number,
  late: (refusal: Refusal) => void,
  spanMs: number = SPAN_MS,
): () => void {
  const end = Date.now() + max
  let before = 0
  const timer = setInterval(() => {
    const now = received()
    const isStalled = now - before < (BYTES_A_SECOND * spanMs) / 1_000
    before = now
    if (!isStalled && Date.now() < end) return
    clearInterval(timer)
    const message = isStalled ? 'The body comes slower than 1 KiB/s.' : `The body did not arrive within ${max / 1_000} s.`
    late(new Refusal('MALFORMED_REQUEST', message))
  }, spanMs)
  return () => clearInterval(timer)
}
