import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import type { Logger } from 'pino'
import { watchLoop } from '../../worker/watchLoop.ts'
import { until } from '../support/until.ts'

describe('the watch of the event loop', () => {
  it('warns each second in which the loop was held up for more than 100 ms, is silent otherwise, and ends', async () => {
    const warned: number[] = []
    const passed: number[] = []
    const logger = {
      warn: ({ lag_ms }: { lag_ms: number }) => void warned.push(lag_ms),
      debug: ({ lag_ms }: { lag_ms: number }) => void passed.push(lag_ms),
    }
    const watch = watchLoop(logger as unknown as Logger)
    await sleep(50)
    const busyUntil = performance.now() + 400
    while (performance.now() < busyUntil);
    await until(() => warned.length > 0, 3)
    expect(warned[0]).toBeGreaterThan(100)
    expect(warned[0]).toBeLessThan(2_000)
    const seen = passed.length + warned.length
    await until(() => passed.length + warned.length > seen, 3)
    for (const lag of passed) expect(lag).toBeLessThanOrEqual(100)
    for (const lag of warned) expect(lag).toBeGreaterThan(100)
    watch.stop()
    const told = passed.length + warned.length
    await sleep(1_200)
    expect(passed.length + warned.length).toBe(told)
  })
})
