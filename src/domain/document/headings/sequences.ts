import type { Period } from '../../../contract/scalars.ts'
import { type IsoDate, isDate, weekOf } from '../../calendar.ts'
import { mondayBefore, type WrittenDate } from '../values/dates.ts'
import type { Heading } from './compose.ts'
import { ascending, type Calendar } from './dates.ts'
import { datedHeadings, partsOf } from './parts.ts'

/** What the columns of dates may be that are no sequence: a person says which. */
export interface SequenceChoice {
  readonly choice: string
  readonly text: string
  /** What each column is, by `headingKey`. */
  readonly periods: ReadonlyMap<string, Period>
}

/** Names a heading by its place and words, as the lines below it do. */
export function headingKey({ read, at }: { readonly read: string; readonly at: string }): string {
  return `${at} ${read}`
}

/** Returns the ways to take headings of dates that cannot be read as one sequence: as the weeks of their dates or as days, month first or day first. */
export function sequencesFor(headings: readonly Heading[], calendar: Calendar): SequenceChoice[] {
  const at = datedHeadings(headings)
  const parts = at.map((column) => partsOf(headings[column] as Heading))
  const inOrder = (written: readonly (WrittenDate | undefined)[], suffix: string, words: string): SequenceChoice[] => {
    if (written.length === 0 || !written.every((date) => date !== undefined)) return []
    const from = calendar.spans[0]?.first ?? calendar.anchor()
    const dates = ascending(written, Number(from.slice(0, 4)))
    if (!dates.every(isDate) || new Set(dates).size !== dates.length) return []
    return (['week', 'day'] as const).flatMap((grain): SequenceChoice[] => {
      const starts = grain === 'week' ? dates.map(mondayBefore) : dates
      if (new Set(starts).size !== starts.length) return []
      const periods = new Map<string, Period>(
        at.map((column, index) => {
          const heading = headings[column] as Heading
          const key = headingKey({ read: heading.text, at: heading.tokens.at(-1)?.at ?? '' })
          const start = starts[index] as IsoDate
          return [key, grain === 'week' ? { grain, start: weekOf(start) } : { grain, start }] as const
        }),
      )
      const what = grain === 'week' ? 'Each column is the week that has its date' : 'Each column is the day of its date'
      return [{ choice: `${grain}s${suffix}`, text: `${what}${words}: ${shown(starts)}`, periods }]
    })
  }
  const turned = parts.map((part) => part?.turned)
  const isEither = turned.every((date, index) => date !== undefined && date.month !== parts[index]?.date?.month)
  return [
    ...inOrder(
      parts.map((part) => part?.date),
      '',
      isEither ? ', the month first' : '',
    ),
    ...(isEither ? inOrder(turned, '_day_first', ', the day first') : []),
  ]
}

function shown(starts: readonly IsoDate[]): string {
  return starts.length > SHOWN ? `${starts.slice(0, SHOWN - 1).join(', ')} … ${starts.at(-1)}` : starts.join(', ')
}

const SHOWN = 4
