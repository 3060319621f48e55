import type { CatalogProduct } from '../../api/queries/sellers.ts'

/** The parts of the day by which people look for products, each with the hour at which it begins. */
export const DAYPARTS = [
  { id: 'morning', label: 'Morning', from: 5 },
  { id: 'day', label: 'Day', from: 9 },
  { id: 'early', label: 'Early', from: 16 },
  { id: 'prime', label: 'Prime', from: 19 },
  { id: 'late', label: 'Late', from: 23 },
] as const
export type Daypart = (typeof DAYPARTS)[number]['id']

interface Window {
  readonly days?: readonly string[]
  readonly start?: string
  readonly end?: string
}

/** Returns when a product airs: its windows, or those of its occurrences. */
function windowsOf(product: CatalogProduct): Window[] {
  const { days, start, end, windows, occurrences } = product.definition as Window & {
    readonly windows?: readonly Window[]
    readonly occurrences?: readonly Window[]
  }
  if (windows !== undefined && windows.length > 0) return [...windows]
  if (start !== undefined) return [{ ...(days && { days }), start, ...(end && { end }) }]
  return [...(occurrences ?? [])]
}

/** Says when a product airs: `Mon-Fri 18:00-18:30`. */
export function airsText(product: CatalogProduct): string {
  const texts = windowsOf(product).map(({ days = [], start, end }) =>
    [daysText(days), start && `${start}-${end}`].filter(Boolean).join(' '),
  )
  const [first, ...others] = [...new Set(texts)]
  return `${first ?? ''}${others.length > 0 ? ` and ${others.length} more` : ''}`
}

const WEEK = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** `Mon-Fri`, `Sat, Sun`. */
function daysText(days: readonly string[]): string {
  const at = days.map((day) => WEEK.indexOf(day))
  const isRun = at.length > 2 && at.every((one, index) => one >= 0 && (index === 0 || one === (at[index - 1] ?? 0) + 1))
  return isRun ? `${days[0]}-${days.at(-1)}` : days.join(', ')
}

/** Returns the parts of the day in which a product begins to air. */
export function daypartsOf(product: CatalogProduct): Set<Daypart> {
  return new Set(windowsOf(product).flatMap(({ start }) => (start === undefined ? [] : daypartAt(Number(start.slice(0, 2))))))
}

function daypartAt(hour: number): Daypart {
  // What begins after midnight is late.
  return DAYPARTS.findLast(({ from }) => hour % 24 >= from)?.id ?? 'late'
}
