import { describe, expect, it } from '@jest/globals'
import { jsonInTurns } from '../../api/http/jsonInTurns.ts'
import { composeAvails } from '../../src/domain/discovery/composeAvails.ts'
import { beginTurn, inTurns } from '../../src/operations/loopTurns.ts'

/** A clock that each look at it moves on by a millisecond, as if each step of the work took one. */
const clock = () => {
  let ms = 0
  return () => (ms += 1)
}

/** Runs work beside a loop that counts its iterations, and returns how many there were. */
async function iterationsBeside<T>(work: () => Promise<T>): Promise<{ result: T; iterations: number }> {
  let iterations = 0
  let isDone = false
  const count = () => {
    iterations += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const result = await work()
  isDone = true
  return { result, iterations }
}

const rendered = (items: readonly unknown[]) => () => jsonInTurns(items, beginTurn(clock()))

describe('long work', () => {
  it('gives the event loop away every 5 ms of it', async () => {
    const items = Array.from({ length: 100 }, (_, id) => ({ id }))
    const { result, iterations } = await iterationsBeside(rendered(items))
    expect(`[${result}]`).toBe(JSON.stringify(items))
    expect(iterations).toBeGreaterThanOrEqual(20)
  })

  it('has one turn per iteration of the loop, however many do such work', async () => {
    const items = Array.from({ length: 100 }, (_, id) => id)
    const { iterations } = await iterationsBeside(() => Promise.all([1, 2, 3, 4].map(rendered(items))))
    expect(iterations).toBeGreaterThanOrEqual(4 * 20)
  })

  it('takes no turn while it is short', async () => {
    const { iterations } = await iterationsBeside(() => jsonInTurns([1, 2, 3], beginTurn(clock())))
    expect(iterations).toBeLessThanOrEqual(1)
  })

  it('composes the avails of one product in turns too', async () => {
    const week = (n: number) => `2031-W${String(n + 1).padStart(2, '0')}`
    const avails = Array.from({ length: 50 }, (_, n) => ({
      ...{ product_id: 'p', period: { grain: 'week' as const, start: week(n) }, state: 'available' as const, spots: { available: n } },
    }))
    const disclosure = { pricing_policy: 'published' as const, avails_policy: 'published' as const }
    const composing = composeAvails([{ product_id: 'p', disclosure }], { avails, prices: [] }, { ratesFiltered: false })
    const { result, iterations } = await iterationsBeside(() => inTurns(composing, beginTurn(clock())))
    expect(result.map(({ period }) => period.start)).toEqual(avails.map(({ period }) => period.start))
    expect(iterations).toBeGreaterThanOrEqual(10)
  })
})
