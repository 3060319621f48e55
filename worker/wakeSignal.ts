/** Wakes one loop of this process. */
export interface WakeSignal {
  wake(): void
  /** Waits for a wake, for at most so many milliseconds; without a number, for as long as it takes. */
  wait(milliseconds?: number): Promise<void>
}

/** A wake that arrives while the loop is busy ends the loop's next wait immediately. */
export function newWakeSignal(): WakeSignal {
  let woken = false
  let resume: (() => void) | undefined
  return {
    wake: () => {
      woken = true
      resume?.()
    },
    wait: async (milliseconds) => {
      if (!woken)
        await new Promise<void>((resolve) => {
          const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds)
          resume = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      resume = undefined
      woken = false
    },
  }
}
