import { describe, expect, it } from '@jest/globals'
import { kneeOf, type Model, simulate } from './simulation.ts'

const part = (cpuMs: number, threads = 1) => ({ cpuMs, threads })

/** Orders a second, to a tenth: the chance in a run of so many is less than that. */
function rateOf(model: Model, atOnce = 64): number {
  return simulate(model, { orders: 5_000, atOnce }).perSecond
}

function expectAbout(found: number, expected: number): void {
  expect(found).toBeGreaterThan(0.93 * expected)
  expect(found).toBeLessThan(1.07 * expected)
}

describe('simulate', () => {
  it('takes for one order at a time what its steps and waits take', () => {
    const { perSecond, orderMs } = simulate(
      { cores: 2, waitMs: 60, parts: { api: part(10), worker: part(30) } },
      { orders: 5_000, atOnce: 1 },
    )
    expectAbout(orderMs, 100)
    expectAbout(perSecond, 10)
  })

  it('is bound by a part that has too few threads, and gains by another process of it while there are cores', () => {
    const withWorkers = (threads: number): Model => ({ cores: 4, waitMs: 20, parts: { api: part(2), worker: part(20, threads) } })
    expectAbout(rateOf(withWorkers(1)), 50)
    expectAbout(rateOf(withWorkers(2)), 100)
  })

  it('is bound by the cores where there are threads enough: more processes gain nothing', () => {
    const withEach = (threads: number): Model => ({ cores: 2, waitMs: 20, parts: { api: part(10, threads), worker: part(30, threads) } })
    expectAbout(rateOf(withEach(4)), 50)
    expectAbout(rateOf(withEach(16)), 50)
  })

  it('gives equal results for equal arguments', () => {
    const model: Model = { cores: 2, waitMs: 10, parts: { api: part(5), worker: part(9, 2) } }
    const run = { orders: 500, atOnce: 8 }
    expect(simulate(model, run)).toEqual(simulate(model, run))
    expect(simulate(model, { ...run, seed: 2 })).not.toEqual(simulate(model, run))
  })
})

describe('kneeOf', () => {
  const model: Model = { cores: 2, waitMs: 160, parts: { api: part(10), worker: part(20, 2), postgres: part(10, 16) } }

  it('names what is busy first, and from how many orders at once on', () => {
    expect(kneeOf(model)).toEqual({ limitedBy: 'cores', perSecond: 50, atOnce: 10 })
    expect(kneeOf({ ...model, cores: 64 })).toEqual({ limitedBy: 'api', perSecond: 100, atOnce: 20 })
  })

  it('is what a simulation comes to with many orders at once, and never reaches below it', () => {
    const { perSecond, atOnce } = kneeOf(model)
    expectAbout(rateOf(model, 20 * atOnce), perSecond)
    expectAbout(rateOf(model, 1), 5)
    expect(rateOf(model, atOnce)).toBeLessThan(perSecond)
  })
})
