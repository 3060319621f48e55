import { CancellationScope, condition, setHandler, sleep } from '@temporalio/workflow'
import { wake } from './messages.ts'

/** Received when another process wakes the run, and when the deadline that it waits for has come: "look again", and nothing more. */
export interface WakeSignal {
  /** Whether it was received since it was last cleared. */
  received(): boolean
  /** Called before the run looks at what it was woken for. */
  clear(): void
  /** Waits until it is received. `until` is in milliseconds since 1970; null, and a time that has passed, set no deadline. */
  wait(until: number | null): Promise<void>
}

/** Handles the wake signal of a run. Called before the first await, so that no signal is missed. */
export function openWakeSignal(): WakeSignal {
  let received = false
  let alarm: { at: number; scope: CancellationScope } | undefined
  setHandler(wake, () => {
    received = true
  })

  // One timer at a time. It outlives the wait: the next wait is mostly for the same deadline, and a timer that is still
  // running when the order closes costs no event, where taking it down costs one.
  const arm = (at: number | null) => {
    if (alarm?.at === at) return
    alarm?.scope.cancel()
    alarm = undefined
    if (at === null || at <= Date.now()) return
    const scope = new CancellationScope()
    alarm = { at, scope }
    scope
      .run(() => sleep(at - Date.now()))
      .then(
        () => {
          received = true
          alarm = undefined
        },
        () => undefined, // taken down for another
      )
  }

  return {
    received: () => received,
    clear: () => {
      received = false
    },
    wait: async (until) => {
      if (received) return
      arm(until)
      await condition(() => received)
    },
  }
}
