/** So many posts at once in all of a process, of which those to receivers that are failing may take a part. */
export interface Permits {
  /** Waits for its turn, and answers what gives the permit back. `isSuspect` is asked until then: a receiver may come to fail meanwhile. */
  take(isSuspect: () => boolean): Promise<() => void>
}

/** Receivers that do not answer hold their permits for long: they may hold `suspects` of `most`, so that the others never wait for them. */
export function permits(most: number, suspects: number): Permits {
  let out = 0
  let suspectsOut = 0
  const waiting: { isSuspect: () => boolean; begin(suspect: boolean): void }[] = []
  const next = () => {
    while (out < most && waiting.length > 0) {
      const sound = waiting.findIndex(({ isSuspect }) => !isSuspect())
      if (sound < 0 && suspectsOut === suspects) return
      const [turn] = waiting.splice(Math.max(sound, 0), 1)
      turn?.begin(sound < 0)
    }
  }
  return {
    take: (isSuspect) =>
      new Promise((resolve) => {
        const begin = (suspect: boolean) => {
          out += 1
          if (suspect) suspectsOut += 1
          resolve(() => {
            out -= 1
            if (suspect) suspectsOut -= 1
            next()
          })
        }
        waiting.push({ isSuspect, begin })
        next()
      }),
  }
}
