import { type Extent, overlaps, type Row } from '../cells.ts'
import type { Heading } from '../headings/compose.ts'
import { apart } from './columns.ts'
import { isNumeric } from './numeric.ts'

/** Returns the rows of a table that show its columns: those with about as many numbers as most. */
export function solidRows<R extends Row>(rows: readonly R[]): R[] {
  const counts = rows.map(({ cells }) => cells.filter(isNumeric).length)
  const some = counts.filter((count) => count >= 3).sort((a, b) => a - b)
  const least = Math.max(2, (some[Math.floor(some.length / 2)] ?? 0) * 0.5)
  const solid = rows.filter((_, at) => (counts[at] ?? 0) >= least)
  // Sums of money below the weeks may be wider than their columns, and show no bands.
  const sums = solid.map(({ cells }) => cells.filter(({ text }) => text.includes('$')).length)
  const usual = [...sums].sort((a, b) => a - b)[Math.floor(sums.length / 2)] ?? 0
  return solid.filter((_, at) => (sums[at] ?? 0) <= usual + 1)
}

/** Returns the extents of numbers that stand above each other. */
export function bandsOf(rows: readonly Row[]): Extent[] {
  const extents = rows
    .flatMap(({ cells }) => cells.filter(isNumeric))
    .map(({ left, right }) => ({ left, right }))
    .sort((a, b) => a.left - b.left)
  const bands: { left: number; right: number }[] = []
  for (const extent of extents) {
    const last = bands.at(-1)
    if (last !== undefined && extent.left < last.right - 0.2) last.right = Math.max(last.right, extent.right)
    else bands.push({ ...extent })
  }
  return bands
}

/** Joins neighbouring bands that are both below one heading, as numbers of other rows that are aligned otherwise. */
export function belowOne(bands: readonly Extent[], headings: readonly Heading[]): Extent[] {
  const joined: Extent[] = []
  const below = (band: Extent) => headings.findIndex((heading) => overlaps(heading, band, (band.right - band.left) * 0.5))
  for (const band of bands) {
    const last = joined.at(-1)
    if (last !== undefined && below(band) >= 0 && below(last) === below(band))
      joined[joined.length - 1] = { left: last.left, right: band.right }
    else joined.push(band)
  }
  return joined
}

/** Counts the rows with a number in a band. */
export function numbersIn(band: Extent, rows: readonly Row[]): number {
  return rows.filter(({ cells }) => cells.some((cell) => isNumeric(cell) && apart(band, cell) < 0)).length
}
