import type { PlacedRow } from '../page/bands.ts'
import { isNumeric } from '../page/numeric.ts'
import { ordersIn } from '../readPeriod.ts'
import { airtimeOf, clockOf } from '../values/airtime.ts'
import { secondsOf } from '../values/amounts.ts'
import { writtenDate, yearDatesIn } from '../values/dates.ts'
import { daysOf } from '../values/weekdays.ts'
import type { Heading } from './compose.ts'
import { datedHeadings } from './parts.ts'
import type { Role } from './vocabulary.ts'

/** A column whose heading is not understood is of days, windows or lengths if all of its cells are, and no other column is. */
export function withContentsNamed(headings: readonly Heading[], rows: readonly PlacedRow[]): readonly Heading[] {
  const has = (role: Role) => headings.some(({ named }) => named?.role === role)
  const lines = rows.filter(({ row }) => row.cells.filter(isNumeric).length > 1)
  return headings.map((heading, at): Heading => {
    if (heading.named !== undefined || datedHeadings([heading]).length > 0) return heading
    const texts = lines.flatMap(({ cells }) => cells.get(at)?.text ?? [])
    // Letters alone may be codes.
    const isTold = texts.length > 1 && texts.some((text) => text.length > 1)
    const role = isTold ? CONTENTS.find(([, isOf]) => texts.every(isOf))?.[0] : undefined
    const isTaken = role === undefined || has(role) || (role === 'window' && has('start'))
    return isTaken ? heading : { ...heading, named: { role } }
  })
}

const CONTENTS: readonly (readonly [Role, (text: string) => boolean])[] = [
  ['days', (text) => daysOf(text) !== undefined],
  ['window', (text) => airtimeOf(text).start !== undefined && airtimeOf(text).rest === ''],
  ['length', (text) => /^(0{0,2}:)?(\d{1,2})?:\d{2}$|^\d{2,3} ?s(ecs?)?$/i.test(text) && secondsOf(text) !== undefined],
]

/** `Start` and `End` are of the window, unless dates stand below them. */
export function withDatesNamed(headings: readonly Heading[], rows: readonly PlacedRow[]): readonly Heading[] {
  const isDate = (text: string) => writtenDate(text) !== undefined || yearDatesIn(text).length > 0 || ordersIn(text).length > 0
  return headings.map((heading, at) => {
    const role = heading.named?.role
    if (role !== 'start' && role !== 'end') return heading
    const texts = rows.flatMap(({ cells }) => cells.get(at)?.text ?? [])
    const isOfDates = texts.some(isDate) && texts.every((text) => clockOf(text) === undefined)
    return isOfDates ? { ...heading, named: { role: role === 'start' ? 'startDate' : 'endDate' } } : heading
  })
}
