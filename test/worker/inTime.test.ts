import { describe, expect, it } from '@jest/globals'
import { inTime } from '../../worker/inTime.ts'
import { isAway } from '../../worker/temporalErrors.ts'

/** A connection that gives each call its deadline, and calls that never end. */
function hanging() {
  const deadlines: number[] = []
  const connection = {
    withDeadline: <T>(deadline: number | Date, call: () => Promise<T>): Promise<T> => {
      deadlines.push(Number(deadline))
      return call()
    },
  }
  return { connection, deadlines }
}
const never = () => new Promise<never>(() => undefined)
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

describe('a call of Temporal that is limited', () => {
  it('gives what it returns, with the limit as its deadline, and leaves no timer', async () => {
    const { connection, deadlines } = hanging()
    const [before, began] = [timers(), Date.now()]
    expect(await inTime(connection, 60_000, async () => 'answer')).toBe('answer')
    expect(deadlines).toEqual([expect.any(Number)])
    expect((deadlines[0] ?? 0) - began).toBeGreaterThanOrEqual(60_000)
    expect((deadlines[0] ?? 0) - began).toBeLessThan(65_000)
    expect(timers()).toBe(before)
    await expect(inTime(connection, 60_000, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
    expect(timers()).toBe(before)
  })

  it('fails as when Temporal is away once its time is over', async () => {
    const error = await inTime(hanging().connection, 20, never).catch((failure) => failure)
    expect([error.message, isAway(error)]).toEqual(['Temporal does not answer in time', true])
  })

  it.each([
    ['when it is stopped', 'later'],
    ['where it is stopped before', 'before'],
  ])('fails at once %s', async (_, when) => {
    const stopping = new AbortController()
    if (when === 'before') stopping.abort()
    const before = timers()
    const call = inTime(hanging().connection, 60_000, never, stopping.signal)
    stopping.abort()
    await expect(call).rejects.toThrow('Temporal does not answer in time')
    expect(timers()).toBe(before)
  })
})
