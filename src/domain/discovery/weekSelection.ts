import { addDays, isPeriodStart, mondayOf } from '../calendar.ts'
import { Refusal } from '../refusal.ts'

/** A run of ISO weeks, both ends included, with its first Monday and last Sunday. All four sort as text. */
export interface WeekRun {
  readonly from: string
  readonly to: string
  readonly first_day: string
  readonly last_day: string
}

/** Parses a comma-separated list of weeks and ranges (`2026-W50,2026-W52..2027-W02`). Errors: INVALID_INPUT on `weeks`. */
export function weekSelection(text: string): WeekRun[] {
  return text.split(',').map((part) => {
    const [from = '', to = from, ...more] = part.trim().split('..')
    if (more.length > 0 || !isPeriodStart('week', from) || !isPeriodStart('week', to)) {
      throw refused(`${part.slice(0, 40)} is not an existing week or range of weeks, such as 2026-W50 or 2026-W50..2026-W52.`)
    }
    if (from > to) throw refused(`${part} ends before it starts.`)
    return { from, to, first_day: mondayOf(from), last_day: addDays(mondayOf(to), 6) }
  })
}

/** Returns true if the week is in one of the runs, or if there are none. */
export function isSelected(week: string, weeks: readonly WeekRun[] | undefined): boolean {
  return weeks === undefined || weeks.some(({ from, to }) => from <= week && week <= to)
}

function refused(message: string): Refusal {
  return new Refusal('INVALID_INPUT', message, { field: 'weeks' })
}
