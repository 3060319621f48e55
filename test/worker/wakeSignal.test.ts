import { describe, expect, it } from '@jest/globals'
import { newWakeSignal } from '../../worker/wakeSignal.ts'

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
/** Milliseconds that a wait takes. */
async function lasts(wait: Promise<void>): Promise<number> {
  const began = performance.now()
  await wait
  return performance.now() - began
}

describe('a loop of this process', () => {
  it('waits as long as it is told where nobody wakes it', async () => {
    const waited = await lasts(newWakeSignal().wait(60))
    expect(waited).toBeGreaterThan(50)
    expect(waited).toBeLessThan(2_000)
  })

  it('goes on at once when it is woken, and leaves no timer', async () => {
    const signal = newWakeSignal()
    const before = timers()
    const waiting = lasts(signal.wait(60_000))
    signal.wake()
    expect(await waiting).toBeLessThan(2_000)
    expect(timers()).toBe(before)
  })

  it('does not wait where it was woken while it was busy, once for any number of wakes', async () => {
    const signal = newWakeSignal()
    signal.wake()
    signal.wake()
    expect(await lasts(signal.wait(60_000))).toBeLessThan(2_000)
    expect(await lasts(signal.wait(60))).toBeGreaterThan(50)
  })

  it('waits for a wake alone where it is told no time', async () => {
    const signal = newWakeSignal()
    const before = timers()
    const waiting = signal.wait()
    expect(timers()).toBe(before)
    signal.wake()
    await waiting
  })
})
