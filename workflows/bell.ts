import { CancellationScope, condition, setHandler, sleep } from '@temporalio/workflow'
import { wake } from './messages.ts'

/** Rings when somebody wakes the run, and when the deadline that it waits for has come: "look again", and nothing more. */
export interface Bell {
  /** Has it rung since it was last hushed? */
  rung(): boolean
  /** What it rang for is about to be looked at. */
  hush(): void
  /** Waits until it rings. `until` is in milliseconds since 1970; one that has passed, like null, means for as long as it takes. */
  wait(until: number | null): Promise<void>
}

/** Hangs the bell of a run; before the first await, so that no signal is missed. */
export function hangBell(): Bell {
  let rung = false
  let alarm: { at: number; scope: CancellationScope } | undefined
  setHandler(wake, () => {
    rung = true
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
          rung = true
          alarm = undefined
        },
        () => undefined, // taken down for another
      )
  }

  return {
    rung: () => rung,
    hush: () => {
      rung = false
    },
    wait: async (until) => {
      if (rung) return
      arm(until)
      await condition(() => rung)
    },
  }
}
