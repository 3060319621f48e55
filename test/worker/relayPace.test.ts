import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { paceRelay } from '../../worker/relayPace.ts'

/** A pace whose question is answered by the test: each answer is a count, or an error. */
function answered() {
  const questions: ((answer: number | Error) => Promise<void>)[] = []
  const pace = paceRelay(
    () =>
      new Promise((resolve, reject) => {
        questions.push(async (answer) => {
          if (answer instanceof Error) reject(answer)
          else resolve(answer)
          await sleep(0)
        })
      }),
  )
  return { pace, questions }
}

describe('the pace of a relay', () => {
  it('asks nothing while all rows fit', () => {
    const { pace, questions } = answered()
    pace.claimed(false)
    expect([pace.places(), questions.length]).toEqual([32, 0])
  })

  it('stays as it is while few tasks wait', async () => {
    const { pace, questions } = answered()
    pace.claimed(true)
    await questions[0]?.(100)
    expect(pace.places()).toBe(32)
  })

  it('is slow from when many tasks wait until all rows fit', async () => {
    const { pace, questions } = answered()
    pace.claimed(true)
    await questions[0]?.(101)
    expect(pace.places()).toBe(8)
    pace.claimed(true)
    expect(pace.places()).toBe(8)
    pace.claimed(false)
    expect(pace.places()).toBe(32)
  })

  it('stays as it is when the answer comes after the burst', async () => {
    const { pace, questions } = answered()
    pace.claimed(true)
    pace.claimed(false)
    await questions[0]?.(101)
    expect(pace.places()).toBe(32)
  })

  it('stays as it is when the question fails', async () => {
    const { pace, questions } = answered()
    pace.claimed(true)
    await questions[0]?.(new Error('Temporal is away'))
    expect(pace.places()).toBe(32)
  })

  it('asks again only a second after the last answer', async () => {
    const { pace, questions } = answered()
    pace.claimed(true)
    await sleep(1_100)
    pace.claimed(true) // the first question has no answer yet
    await questions[0]?.(0)
    pace.claimed(true)
    expect(questions.length).toBe(1)
    await sleep(1_100)
    pace.claimed(true)
    expect(questions.length).toBe(2)
  })
})
