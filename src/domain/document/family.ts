import type { LayoutFamily } from '../../contract/vocabulary.ts'
import type { ReadRegion } from './proof/index.ts'
import { columnsByRole } from './rowKinds.ts'

/** Returns how a document says when its lines air; undefined if its tables say it in different ways, or none says it. */
export function familyOf(regions: readonly ReadRegion[]): LayoutFamily | undefined {
  const own = new Set(regions.filter(({ rows }) => rows.some(({ kind }) => kind === 'line')).map(familyOfTable))
  const [family, ...others] = own
  return others.length === 0 ? family : undefined
}

function familyOfTable({ region, rows }: ReadRegion): LayoutFamily | undefined {
  const { of, weekdays } = columnsByRole(region)
  const [dated] = region.dates.values()
  if (rows.some(({ weeks }) => weeks.length > 0)) return 'weeks_below'
  if (dated !== undefined) return COLUMNS[dated.grain]
  if (region.undated.length > 0) return undefined
  if (of('perWeek').length > 0) return 'weeks_times_spots'
  if (weekdays.length > 0) return 'days_of_a_week'
  if (of('weekOf').length > 0) return 'row_a_week'
  return of('startDate').length + of('dates').length > 0 ? 'dated_rows' : undefined
}

const COLUMNS = { week: 'week_columns', day: 'day_columns', month: 'month_columns' } as const
