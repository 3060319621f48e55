import { describe, expect, it } from '@jest/globals'
import { openLanes } from '../../src/pull/lanes.ts'

/** Work that ends when it is told to. */
function held() {
  let end = () => {}
  const done = new Promise<string>((resolve) => {
    end = () => resolve('done')
  })
  return { work: () => done, end: () => end() }
}

describe('lanes', () => {
  it('run so many at once per seller, and hand a place on to whoever waits longest', async () => {
    const lanes = openLanes({ atOnce: 1, waiting: 2 })
    const first = held()
    const order: string[] = []
    const running = lanes.run('a', 0, first.work)
    const waiting = ['second', 'third'].map((name) => lanes.run('a', 10_000, async () => order.push(name)))
    expect(await lanes.run('b', 0, async () => 'another seller')).toBe('another seller')
    expect(order).toEqual([])
    first.end()
    await Promise.all([running, ...waiting])
    expect(order).toEqual(['second', 'third'])
  })

  it('are full when too many wait, or nobody leaves in time', async () => {
    const lanes = openLanes({ atOnce: 1, waiting: 1 })
    const first = held()
    const running = lanes.run('a', 0, first.work)
    const impatient = lanes.run('a', 5, async () => 'never')
    expect(await lanes.run('a', 10_000, async () => 'never')).toBe('lane_full')
    expect(await impatient).toBe('lane_full')
    first.end()
    expect(await running).toBe('done')
    expect(await lanes.run('a', 0, async () => 'free again')).toBe('free again')
  })

  it('are left by work that fails', async () => {
    const lanes = openLanes({ atOnce: 1, waiting: 0 })
    await expect(lanes.run('a', 0, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await lanes.run('a', 0, async () => 'free again')).toBe('free again')
  })
})
