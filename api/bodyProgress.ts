import { Refusal } from '../src/domain/refusal.ts'

/** What a body must bring in every span of time, and how long it may take in all. */
const SPAN_MS = 5_000
const BYTES_A_SPAN = 5 * 1024

/**
 * Watches a body come in and calls `late` once with a refusal when it comes slower than 1 KiB/s over 5 s, or takes longer than `most`
 * milliseconds. Returns what ends the watch.
 */
export function watchBodyProgress(received: () => number, most: number, late: (refusal: Refusal) => void): () => void {
  const end = Date.now() + most
  let before = 0
  const timer = setInterval(() => {
    const now = received()
    const isStalled = now - before < BYTES_A_SPAN
    before = now
    if (!isStalled && Date.now() < end) return
    clearInterval(timer)
    const message = isStalled ? 'The body comes slower than 1 KiB/s.' : `The body did not arrive within ${most / 1_000} s.`
    late(new Refusal('MALFORMED_REQUEST', message))
  }, SPAN_MS)
  return () => clearInterval(timer)
}
