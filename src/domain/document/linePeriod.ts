import type { Period } from '../../contract/scalars.ts'
import { type IsoDate, weekOf } from '../calendar.ts'
import type { Cell } from './cells.ts'
import type { LineLength, Stated } from './lengths.ts'
import type { Region } from './regions.ts'
import type { NumberRoles } from './roles.ts'
import type { ByRole, ReadRow } from './rowKinds.ts'
import type { Value } from './terms.ts'

/** A part of a line's units: those of a week, of a day, or of a whole span. */
export interface LinePeriod {
  readonly grain: 'week' | 'day' | 'month' | 'flight'
  readonly start: IsoDate
  readonly end?: IsoDate | undefined
  readonly units: number
  readonly at: string
  readonly read: string
  /** The text that names it. */
  readonly named?: Value | undefined
}

/** A part of a row whose period or units cannot be read, in its own words. */
export interface UnreadPart {
  readonly period?: (Value & { readonly value?: Period | undefined }) | undefined
  readonly units?: Value | undefined
}

/** A row of a table with what its periods depend on. */
export interface OfRow {
  readonly region: Region
  readonly row: ReadRow
  /** The row that names what airs: the row itself, or a title above the rows of its weeks. */
  readonly described: ReadRow
  readonly roles: ByRole
  readonly numbers: NumberRoles
  readonly network: Cell | undefined
  readonly length: LineLength | undefined
  readonly stated: Stated
}

export interface Periods {
  readonly periods: readonly LinePeriod[]
  readonly unread?: readonly UnreadPart[] | undefined
  readonly doubt?: string | undefined
  /** The members that the doubt is about, if not all. */
  readonly fields?: readonly string[] | undefined
}

/** Returns a period that a line can book: a span of several weeks is none. */
export function bookable({ grain, start }: Pick<LinePeriod, 'grain' | 'start'>): Period | undefined {
  if (grain === 'flight') return undefined
  return grain === 'week' ? { grain, start: weekOf(start) } : { grain, start }
}

/** What is said of units that a row states for several weeks at once. */
export const OF_WHOLE_SPAN = 'The units are of the whole span; the row does not say in which weeks they air.'
