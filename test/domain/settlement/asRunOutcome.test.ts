import { expect, it } from '@jest/globals'
import { AS_RUN_BEGINNINGS, AS_RUN_OUTCOMES, AS_RUN_WORDS, asRunOutcome } from '../../../src/contract/vocabulary/asRun.ts'

it.each([
  ...['Aired', 'AIRED', 'Aired - late', 'Joined in Progress', 'Ran', 'ran as ordered', 'OK', ' As Ordered ', 'Played', 'as_run'].map(
    (status) => [status, 'aired'],
  ),
  ...[
    'Not Aired',
    'Missed',
    'Pre-empted by news',
    'PREEMPTED',
    'Cancelled',
    'canceled (client)',
    'Did not air',
    'Not Aired: technical',
  ].map((status) => [status, 'not_aired']),
  ...['Scheduled', 'FINALIZED', 'Finalized', 'pre-log', 'Not yet aired', 'Not aired yet', 'OK to air', 'Pending'].map((status) => [
    status,
    'undecided',
  ]),
  ...['Aired: No', 'Ran - N', 'Played (pending)', 'Not aired yet, log open', 'Did not run yet: open'].map((status) => [status, undefined]),
  ...['Preempted, not made good', 'Missed: no signal'].map((status) => [status, 'not_aired']),
  ...['', '?', 'Airedale', 'OK?!x', 'Ranked', 'Done deal', 'ausgestrahlt', 'aire'].map((status) => [status, undefined]),
])('the status %j says %s', (status, outcome) => expect(asRunOutcome(status as string)).toBe(outcome))

it('each word says one thing, in whatever case and marks it is written', () => {
  const words = AS_RUN_OUTCOMES.flatMap((outcome) => AS_RUN_WORDS[outcome].map((word) => ({ word, outcome })))
  expect(new Set(words.map(({ word }) => word)).size).toBe(words.length)
  for (const { word, outcome } of words)
    expect([word, asRunOutcome(`*${word.toUpperCase().replaceAll(' ', '_')}. `)]).toEqual([word, outcome])
  for (const beginning of AS_RUN_BEGINNINGS) expect(asRunOutcome(`${beginning}, as told`)).toBe(asRunOutcome(beginning))
})
