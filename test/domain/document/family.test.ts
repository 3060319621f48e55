import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { readingOf, sheetsOf } from '../../corpus/reading.ts'

const CORPUS = join(import.meta.dirname, '../../corpus/documents')

it.each([
  ['f03a-spots-per-week.pdf', 'week_columns'],
  ['f08a-day-grid.pdf', 'day_columns'],
  ['f05a-weeks-times-spots.pdf', 'weeks_times_spots'],
  ['f11a-contract.pdf', 'weeks_below'],
  ['f13d-buysheet-row-a-week.pdf', 'row_a_week'],
  ['f18a-week-of-rows.pdf', 'days_of_a_week'],
  ['f12a-scan.pdf', undefined],
])('%s is of the family %s', async (name, family) => {
  expect(readingOf(name, await sheetsOf(join(CORPUS, name))).order.family).toBe(family)
})
