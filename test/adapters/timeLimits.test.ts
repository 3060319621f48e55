import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { openTimeLimits } from '../../src/adapters/http/timeLimits.ts'
import { until } from '../support/until.ts'

it('a limit passes at its own time, whatever was begun before or after it', async () => {
  const limits = openTimeLimits()
  const began = performance.now()
  const passed: [of: number, after: number][] = []
  for (const milliseconds of [300, 100, 200, 100]) limits.begin(milliseconds, () => passed.push([milliseconds, performance.now() - began]))
  await until(() => passed.length === 4)
  expect(passed.map(([of]) => of)).toEqual([100, 100, 200, 300])
  for (const [of, after] of passed) expect(after).toBeGreaterThanOrEqual(of)
})

it('a limit that has ended does not pass, and those after it do', async () => {
  const limits = openTimeLimits()
  const passed: string[] = []
  const end = limits.begin(50, () => passed.push('ended'))
  limits.begin(100, () => passed.push('other'))
  end()
  await until(() => passed.length > 0)
  expect(passed).toEqual(['other'])
})

it('one that passes together with another may still be ended by it', async () => {
  const limits = openTimeLimits()
  const passed: string[] = []
  let endOther: () => void = () => undefined
  limits.begin(50, () => {
    passed.push('one')
    endOther()
  })
  endOther = limits.begin(50, () => passed.push('other'))
  const resumed = performance.now() + 100
  while (performance.now() < resumed); // both are due when the timer comes
  await until(() => passed.length > 0)
  await sleep(100)
  expect(passed).toEqual(['one'])
})
