import type { Moment } from '../../../adapters/tables/rowReader/moment.ts'
import type { CellKind } from '../../../contract/dropColumns/exampleOf.ts'
import { UnfitCell } from './unfitCell.ts'

/**
 * Returns a date or time cell as the text of a column: by what the column is, not by what the cell is (choices, File drops: dates). Errors:
 * UnfitCell where the column takes something else, or where the cell does not say it.
 */
export function fromMoment(kind: CellKind, moment: Moment): string {
  switch (kind) {
    case 'date':
      return dateOf(moment)
    case 'month':
      return monthOf(moment)
    case 'time':
    case 'clock':
      return timeOf(moment, kind)
    case 'instant':
      return stampOf(moment)
    default:
      throw new UnfitCell(
        `has a date or time cell (${moment.shown}), which is not what was typed; format the column as ${kind === 'number' ? 'numbers' : 'text'} and type it again`,
        moment.shown,
      )
  }
}

function dateOf(moment: Moment): string {
  const { date, shown } = moment
  if (date === undefined) throw new UnfitCell(`has the time ${shown}; it takes a date, such as 2030-06-05`, shown)
  refuseUtc(moment)
  return date
}

function monthOf(moment: Moment): string {
  const date = dateOf(moment)
  // A broadcast month may begin in the calendar month before, so that another day does not say which month is meant.
  if (!date.endsWith('-01')) throw new UnfitCell(`has the date ${date}; it takes a month, such as 2030-06, or its first day`, date)
  return date.slice(0, '2030-06'.length)
}

function timeOf(moment: Moment, kind: 'time' | 'clock'): string {
  const { time, shown } = moment
  if (time === undefined) throw new UnfitCell(`has the date ${shown}; it takes a time, such as 19:30`, shown)
  refuseUtc(moment)
  const [minutes, seconds] = [time.slice(0, '19:30'.length), time.slice('19:30'.length)]
  if (seconds === ':00') return minutes
  return kind === 'clock' ? time.slice(0, '19:30:00'.length) : time
}

function stampOf({ date, time = '00:00:00', utc, shown }: Moment): string {
  if (utc !== undefined) return utc
  if (date === undefined)
    throw new UnfitCell(`has the time ${shown}; it takes a time in UTC with its date, such as 2030-06-01T00:00:00Z`, shown)
  return new Date(`${date}T${time}Z`).toISOString()
}

function refuseUtc({ isLocal, shown }: Moment): void {
  if (!isLocal)
    throw new UnfitCell(`has a moment in UTC (${shown}), which does not say the local date; write a date or a time without a zone`, shown)
}
