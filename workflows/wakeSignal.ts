import { CancellationScope, condition, setHandler, sleep } from '@temporalio/workflow'
import { wake } from './messages.ts'

/** Received when another process wakes the run and when the run's deadline has come. It means only "look again". */
export interface WakeSignal {
  /** Returns whether the signal was received since it was last cleared. */
  received(): boolean
  /** Clears the signal. Call this before the run looks at what woke it. */
  clear(): void
  /**
   * Waits for the signal. `until` is in milliseconds since 1970; null or a past time sets no deadline. The history shows the deadline's timer
   * under `summary`.
   */
  wait(until: number | null, summary?: string): Promise<void>
}

/** Handles the wake signal of a run. Call it before the first await, so that no signal is missed. */
export function openWakeSignal(): WakeSignal {
  let received = false
  let alarm: { at: number; scope: CancellationScope } | undefined
  setHandler(wake, () => {
    received = true
  })

  // Keeps one timer at a time, which outlives the wait: the next wait usually has the same deadline, and a timer that is still running when
  // the order closes costs no event, while canceling it costs one.
  const arm = (at: number | null, summary?: string) => {
    if (alarm?.at === at) return
    alarm?.scope.cancel()
    alarm = undefined
    if (at === null || at <= Date.now()) return
    const scope = new CancellationScope()
    alarm = { at, scope }
    scope
      .run(() => sleep(at - Date.now(), summary === undefined ? {} : { summary }))
      .then(
        () => {
          received = true
          alarm = undefined
        },
        () => undefined, // canceled for another timer
      )
  }

  return {
    received: () => received,
    clear: () => {
      received = false
    },
    wait: async (until, summary) => {
      if (received) return
      arm(until, summary)
      await condition(() => received)
    },
  }
}
