import { aProduct } from './published.ts'

/** Returns programs with so many occurrences each, as many a year as a station airs; 4,900 take a quarter of a megabyte. */
export function largeProducts(count: number, occurrences = 4_900, more: Record<string, unknown> = {}): Record<string, unknown>[] {
  const definition = {
    title: 'Morning news',
    timezone: 'America/New_York',
    occurrences: Array.from({ length: occurrences }, (_, index) => {
      const day = new Date(Date.UTC(2030, 0, 1 + (index % 3_000))).toISOString().slice(0, 10)
      return { date: day, start: `${String(6 + Math.floor(index / 3_000)).padStart(2, '0')}:00`, end: '10:00' }
    }),
  }
  return Array.from({ length: count }, (_, index) =>
    aProduct(`large-${String(index).padStart(5, '0')}`, { type: 'program', definition, ...more }),
  )
}
