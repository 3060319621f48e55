/** How many calls to Temporal a relay may have in progress. */
export interface RelayPace {
  /** The limit at present. */
  places(): number
  /** Tells that more rows wait than there are places. Asks how many tasks wait, at most once a second. */
  moreWaits(): void
}

/** The usual limit: with fewer, runs of a short burst start one after the other. */
export const IN_FLIGHT = 32
/**
 * The limit while tasks wait in Temporal. It is enough to keep the workers busy. With more, the development server stored the first tasks
 * of four runs in five instead of handing them out with the reply, and then handed out five a second.
 */
const WHILE_TASKS_WAIT = 8
/** Some seconds of one worker's work. */
const MANY_TASKS = 100
const PAUSE_MS = 1_000

/**
 * Keeps a burst in the outbox, where any worker may claim it and a row costs little, instead of in Temporal's task queue. `countTasks`
 * returns how many workflow tasks wait there; if it fails, the limit stays the usual one.
 */
export function paceRelay(countTasks: () => Promise<number>): RelayPace {
  let places = IN_FLIGHT
  let askedAt = Number.NEGATIVE_INFINITY
  return {
    places: () => places,
    moreWaits: () => {
      const now = performance.now()
      if (now - askedAt < PAUSE_MS) return
      askedAt = now
      countTasks().then(
        (tasks) => {
          places = tasks > MANY_TASKS ? WHILE_TASKS_WAIT : IN_FLIGHT
        },
        () => {
          places = IN_FLIGHT
        },
      )
    },
  }
}
