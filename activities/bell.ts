export interface Bell {
  ring(): void
  /** Waits until it rings, or for so many milliseconds. */
  heard(milliseconds?: number): Promise<void>
}

/** A ring while nobody waits is heard by the next who does. */
export function newBell(): Bell {
  let rung = false
  let hear: (() => void) | undefined
  return {
    ring: () => {
      rung = true
      hear?.()
    },
    heard: async (milliseconds) => {
      if (!rung)
        await new Promise<void>((resolve) => {
          const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds)
          hear = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      hear = undefined
      rung = false
    },
  }
}
