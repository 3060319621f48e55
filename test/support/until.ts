import { setTimeout as sleep } from 'node:timers/promises'

/** Polls until the condition holds. Fails after `seconds`. */
export async function until(holds: () => boolean | Promise<boolean>, seconds = 30): Promise<void> {
  const deadline = Date.now() + seconds * 1_000
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`The condition did not hold within ${seconds} s: ${holds}`)
    await sleep(20)
  }
}

/** Resolves once everything is done that follows from recent events without waiting for anything else. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
