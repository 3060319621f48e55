/** So many posts at once in all of a process, of which those to receivers that are failing may take a part. */
export interface Permits {
  /** Waits for its turn, and answers what gives the permit back. */
  take(suspect: boolean): Promise<() => void>
}

/** Receivers that do not answer hold their permits for long: they may hold `suspects` of `most`, so that the others never wait for them. */
export function permits(most: number, suspects: number): Permits {
  let out = 0
  let suspectsOut = 0
  const waiting = { suspect: [] as (() => void)[], sound: [] as (() => void)[] }
  const next = () => {
    while (out < most) {
      const turn = waiting.sound.shift() ?? (suspectsOut < suspects ? waiting.suspect.shift() : undefined)
      if (turn === undefined) return
      turn()
    }
  }
  return {
    take: (suspect) =>
      new Promise((resolve) => {
        waiting[suspect ? 'suspect' : 'sound'].push(() => {
          out += 1
          if (suspect) suspectsOut += 1
          resolve(() => {
            out -= 1
            if (suspect) suspectsOut -= 1
            next()
          })
        })
        next()
      }),
  }
}
