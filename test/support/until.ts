import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until it holds; fails after `seconds`. */
export async function until(holds: () => boolean | Promise<boolean>, seconds = 10): Promise<void> {
  const deadline = Date.now() + seconds * 1_000
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`it did not come to that within ${seconds} s`)
    await sleep(20)
  }
}
