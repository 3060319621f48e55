import type { ReconciliationLine } from '../../api/queries/settlement.ts'
import type { Bar } from '../../ui/Bars.tsx'
import { countText } from '../../ui/Money.tsx'
import { weekOf } from '../../ui/weeks.ts'

/** Returns the ISO week of a line's date. */
export function weekOfLine({ air_date }: Pick<ReconciliationLine, 'air_date'>): string {
  return weekOf(Date.parse(`${air_date}T12:00:00Z`))
}

/** Counts the spots of each week: booked, aired and billed. */
export function weekBars(lines: readonly ReconciliationLine[]): Bar[] {
  const weeks = new Map<string, [number, number, number]>()
  for (const line of lines) {
    const [booked, aired, billed] = weeks.get(weekOfLine(line)) ?? [0, 0, 0]
    const on = line.aired_in_spec + line.aired_out_of_spec + line.makegood + line.unordered
    weeks.set(weekOfLine(line), [booked + line.ordered, aired + on, billed + line.billed])
  }
  return [...weeks]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([week, values]) => ({
      id: week,
      label: week,
      values,
      texts: values.map((count, at) => `${countText(count, 'spot')} ${WORDS[at]}`),
    }))
}

const WORDS = ['booked', 'aired', 'billed']
