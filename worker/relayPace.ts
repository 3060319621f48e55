/** How many calls to Temporal a relay may have in progress. */
export interface RelayPace {
  /** The limit at present. */
  places(): number
  /** Tells whether more rows wait than there are places. While they do, asks how many tasks wait in Temporal, every second. */
  claimed(more: boolean): void
}

/** The usual limit: with fewer, runs of a short burst start one after the other. */
export const IN_FLIGHT = 32
/**
 * The limit for the rest of a long burst. With it, the reply to each start brings the first task of its run. With the usual limit a worker
 * has no place for most of these tasks: the development server then stores four in five of them, and hands out five a second.
 */
const IN_BURST = 8
/** One to two seconds of one worker's work. */
const MANY_TASKS = 100
const PAUSE_MS = 1_000

/**
 * Keeps a burst in the outbox, where any worker may claim it and a row costs little, instead of in Temporal's task queue. `countTasks`
 * returns how many workflow tasks wait there, and must end; if it fails, the limit stays as it is.
 */
export function paceRelay(countTasks: () => Promise<number>): RelayPace {
  let places = IN_FLIGHT
  let isBurst = false
  let isAsking = false
  let answeredAt = Number.NEGATIVE_INFINITY
  return {
    places: () => places,
    claimed: (more) => {
      isBurst = more
      if (!more) places = IN_FLIGHT
      if (!more || isAsking || performance.now() - answeredAt < PAUSE_MS) return
      isAsking = true
      const answered = countTasks().then(
        (tasks) => {
          if (isBurst && tasks > MANY_TASKS) places = IN_BURST
        },
        () => undefined,
      )
      void answered.then(() => {
        isAsking = false
        answeredAt = performance.now()
      })
    },
  }
}
