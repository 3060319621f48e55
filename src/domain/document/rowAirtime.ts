import { WEEKDAYS, type Weekday } from '../../contract/vocabulary.ts'
import type { Role } from './headings/vocabulary.ts'
import { subrowDays } from './periods.ts'
import type { ByRole, ReadRow } from './rowKinds.ts'
import { type Airtime, airtimeOf, windowBetween } from './values/airtime.ts'

/** When and what a row airs, as far as its columns say it. */
export interface RowAirtime {
  readonly days: readonly Weekday[] | undefined
  readonly start: string | undefined
  readonly end: string | undefined
  readonly program: string | undefined
}

/**
 * Reads days, window and program from the columns that may hold them; each part is taken from the first column that states it. Where days or
 * windows have columns of their own, a title says neither: `Mon Night Football`, `News 10p-1035p`.
 */
export function airtimeOfRow(row: ReadRow, roles: ByRole): RowAirtime {
  const read = (some: readonly Role[]) =>
    some.flatMap((role) => roles.of(role).flatMap((column) => row.texts.get(column) ?? [])).map(airtimeOf)
  const has = (some: readonly Role[]) => some.some((role) => roles.of(role).length > 0)
  const marks =
    roles.of('perWeek').length > 0 ? WEEKDAYS.filter((_, day) => /^[xX✓]$/.test(row.texts.get(roles.weekdays[day] ?? -1) ?? '')) : []
  const [start, end] = [roles.of('start')[0], roles.of('end')[0]].map((column) =>
    column === undefined ? undefined : row.texts.get(column),
  )
  const own = start !== undefined && end !== undefined ? windowBetween(start, end) : undefined
  const window = own ?? read(has(['window', 'start', 'end']) ? COLUMNS : ALL).find((of) => of.start !== undefined)
  // A column of programs may hold days and windows alone; then the block of languages beside it names what airs.
  const rests = (role: Role) =>
    roles
      .of(role)
      .flatMap((column) => row.texts.get(column) ?? [])
      .flatMap((text) => airtimeOf(text).rest || [])
  return {
    days: marks.length > 0 ? marks : daysSaid(row, read(has(['days']) ? COLUMNS : ALL)),
    start: window?.start,
    end: window?.end,
    // A column of days may hold a code beside them, which names no program.
    program: [...rests('program'), ...rests('block'), ...rests('window'), ...rests('daypart')][0],
  }
}

const COLUMNS: readonly Role[] = ['days', 'window']
const ALL: readonly Role[] = [...COLUMNS, 'program', 'daypart']

function daysSaid(row: ReadRow, read: readonly Airtime[]): readonly Weekday[] | undefined {
  return read.find((of) => of.days !== undefined)?.days ?? subrowDays(row)
}
