import { describe, expect, it } from '@jest/globals'
import { whenReachable } from '../../worker/whenReachable.ts'

const AWAY = new Error('away')
/** Fails with these errors one after the other, then gives `done`. */
function attempts(...errors: Error[]) {
  const told: unknown[] = []
  let made = 0
  const stopping = new AbortController()
  const act = async () => {
    const error = errors[made]
    made += 1
    if (error !== undefined) throw error
    return 'done'
  }
  const options = {
    isAway: (error: unknown) => error === AWAY,
    onAway: (error: unknown) => void told.push(error),
    stopping: stopping.signal,
  }
  return { run: () => whenReachable(act, options), told, made: () => made, stopping }
}

describe('what waits for a server', () => {
  it('is tried each half second until it is done, and told of once', async () => {
    const { run, told, made } = attempts(AWAY, AWAY)
    const began = performance.now()
    expect(await run()).toBe('done')
    expect([told, made()]).toEqual([[AWAY], 3])
    expect(performance.now() - began).toBeGreaterThan(900)
    expect(performance.now() - began).toBeLessThan(4_000)
  })

  it('fails with any other error, at once', async () => {
    const refused = new Error('refused')
    const { run, told, made } = attempts(refused)
    await expect(run()).rejects.toBe(refused)
    expect([told, made()]).toEqual([[], 1])
  })

  it('is nothing once it is stopped, also before and in a pause', async () => {
    const before = attempts()
    before.stopping.abort()
    expect([await before.run(), before.made()]).toEqual([undefined, 0])
    const paused = attempts(...Array.from({ length: 1_000 }, () => AWAY))
    const running = paused.run()
    setTimeout(() => paused.stopping.abort(), 20)
    const began = performance.now()
    expect([await running, paused.made()]).toEqual([undefined, 1])
    expect(performance.now() - began).toBeLessThan(400)
  })
})
