import { describe, expect, it } from '@jest/globals'
import { ActivityFailure, ApplicationFailure, RetryState, TimeoutFailure, TimeoutType } from '@temporalio/common'
import { failureOf, reasonOf } from '../../workflows/steps.ts'

/** As an activity of a run ends that has failed with this cause. */
const ended = (cause: Error) => new ActivityFailure('the activity failed', 'look', '1', RetryState.TIMEOUT, 'worker', cause)
const failed = (type?: string) =>
  ApplicationFailure.create({ message: 'see the log of the worker', ...(type === undefined ? {} : { type }) })
const late = new TimeoutFailure('late', undefined, TimeoutType.HEARTBEAT)

describe('the reason that operators read of a step that has failed', () => {
  it.each<[reason: string, error: unknown]>([
    ['database_unavailable', failed('database_unavailable')],
    ['database_unavailable', ended(failed('database_unavailable'))],
    ['unexpected', failed()],
    ['unexpected', ended(failed())],
    ['timeout', ended(late)],
    ['timeout', late],
  ])('is %s', (reason, error) => expect(reasonOf(error)).toBe(reason))

  it('comes from the failure with which its activity ended, if one did', () => {
    const failure = failed('mail:connect')
    expect([failureOf(failure), failureOf(ended(failure)), failureOf(ended(late))]).toEqual([failure, failure, undefined])
  })
})
