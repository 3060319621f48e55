/** Resolves after `ms`, or when the signal aborts, immediately if it already has. */
export function rest(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal?.aborted) return done()
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      done()
    })
  })
}
