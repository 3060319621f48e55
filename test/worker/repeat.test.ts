import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { type Repeated, repeat } from '../../worker/repeat.ts'
import { until } from '../support/until.ts'

/** Looks that end as the letters say: `x` fails. After the last they succeed. */
function looking(ends: string, pauseMs: number | (() => number) = 0) {
  const told: string[] = []
  let looks = 0
  const repeated: Repeated = repeat(
    pauseMs,
    async () => {
      const end = ends[looks]
      looks += 1
      if (end === 'x') throw new Error(`look ${looks}`)
    },
    (error) => void told.push((error as Error).message),
  )
  return { repeated, told, looks: () => looks }
}

describe('repeated looks', () => {
  it('tell of the first failure of each row of failures', async () => {
    const { repeated, told, looks } = looking('xx.x..xx')
    await until(() => looks() > 8)
    await repeated.stop()
    expect(told).toEqual(['look 1', 'look 4', 'look 7'])
  })

  it('pause as long as they are told, and end at once where they are stopped in a pause', async () => {
    let asked = 0
    const { repeated, looks } = looking('', () => {
      asked += 1
      return asked < 3 ? 0 : 60_000
    })
    await until(() => asked === 3)
    expect(looks()).toBe(3)
    await repeated.stop()
    expect(looks()).toBe(3)
  })

  it('are over when the stop is: the last one is awaited', async () => {
    let ended = false
    let begin: (stopping: AbortSignal) => void = () => undefined
    const begun = new Promise<AbortSignal>((resolve) => {
      begin = resolve
    })
    const repeated = repeat(
      0,
      async (stopping) => {
        begin(stopping)
        await sleep(50)
        ended = true
      },
      () => undefined,
    )
    const stopping = await begun
    expect(stopping.aborted).toBe(false)
    await repeated.stop()
    expect([ended, stopping.aborted]).toEqual([true, true])
  })
})
