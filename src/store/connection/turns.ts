interface Waiting {
  readonly key: string
  readonly begin: () => void
}

/** Runs work in order of arrival: one at a time per key, and at most `atOnce` keys concurrently. */
export function turns(atOnce: number): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const running = new Set<string>()
  const waiting: Waiting[] = []
  const beginNext = (): void => {
    const next = running.size < atOnce ? waiting.findIndex(({ key }) => !running.has(key)) : -1
    const [found] = next === -1 ? [] : waiting.splice(next, 1)
    if (found === undefined) return
    running.add(found.key)
    found.begin()
  }
  return async (key, work) => {
    await new Promise<void>((begin) => {
      waiting.push({ key, begin })
      beginNext()
    })
    try {
      return await work()
    } finally {
      running.delete(key)
      beginNext()
    }
  }
}
