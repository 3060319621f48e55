import { describe, expect, it } from '@jest/globals'
import { addDays, weekOf, weeksOfPeriod } from '../../../src/domain/calendar.ts'
import { WEEKS_OF_PERIOD } from '../../../src/store/orders/loadOrders.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()

describe('the weeks of a period', () => {
  it('are the same in the database and in the rules, for every day, week and month of thirty years', async () => {
    const days = Array.from({ length: 365 * 30 }, (_, day) => addDays('2019-12-20', day))
    const periods = [
      ...days.map((start) => ({ grain: 'day' as const, start })),
      ...[...new Set(days.map(weekOf))].map((start) => ({ grain: 'week' as const, start })),
      ...[...new Set(days.map((day) => day.slice(0, -3)))].map((start) => ({ grain: 'month' as const, start })),
    ]
    const { rows } = await db.pool.query<{ weeks: string[] }>(
      `select (select array_agg(week order by week) from unnest(${WEEKS_OF_PERIOD('grain', 'start')}) as week) as weeks
        from unnest($1::text[], $2::text[]) with ordinality as period (grain, start, place) order by place`,
      [periods.map(({ grain }) => grain), periods.map(({ start }) => start)],
    )
    expect(rows.map(({ weeks }) => weeks)).toEqual(periods.map(({ grain, start }) => weeksOfPeriod(grain, start)))
  })
})
