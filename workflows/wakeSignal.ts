import { CancellationScope, condition, setHandler, sleep } from '@temporalio/workflow'
import { wake } from './messages.ts'

/** Received when another process wakes the run and when the run's deadline has come. It means only "look again". */
export interface WakeSignal {
  /** Returns whether the signal was received since it was last cleared, or something was told of that the run has not seen. */
  received(): boolean
  /** Receives that something is to be seen at this place of a log. What the run has seen already wakes it no more. */
  tell(seq: number): void
  /** Notes how far the run has seen. */
  saw(seq: number): void
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
  let told = 0
  let seen = 0
  const isWoken = () => received || told > seen
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
    received: isWoken,
    tell: (seq) => {
      told = Math.max(told, seq)
    },
    saw: (seq) => {
      seen = seq
    },
    clear: () => {
      received = false
      told = 0 // a log that was restored from an older copy may never reach what was told
    },
    wait: async (until, summary) => {
      if (isWoken()) return
      arm(until, summary)
      await condition(isWoken)
    },
  }
}
