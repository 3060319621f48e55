import type { OrderLine } from './lines.ts'
import type { ReadRegion } from './proof/index.ts'

/**
 * Returns the question which part of a document is ordered, where not all of it can be: it names an option, it has sheets with equal headings and
 * unlike numbers, or one of its tables names no windows and states the same units of each week as another, which it may only sum up.
 */
export function alternativesIn(regions: readonly ReadRegion[], lines: readonly OrderLine[], texts: readonly string[]): string | undefined {
  const titles = [...texts, ...regions.map(({ region }) => region.title)]
  const names = new Set(titles.flatMap((text) => /\boption\s+(\d+|[a-z])\b/i.exec(text)?.[0].toLowerCase() ?? []))
  if (names.size > 0) return `The document names ${[...names].join(' and ')}; which option is ordered?`
  const booked = regions.filter(({ lineOf }) => lineOf.some((line) => line !== undefined))
  const sheets = booked.filter(({ region }) => region.layout === 'grid')
  const [first, ...others] = sheets
  if (first !== undefined && others.some((other) => other.region.sheet !== first.region.sheet && headingsOf(other) === headingsOf(first)))
    return 'Several sheets have the same headings; which of them is ordered?'
  const sums = booked
    .map((region) => ({ sum: sumsOf(region, lines), isDescribed: saysWindows(region, lines) }))
    .filter(({ sum }) => sum !== '')
  const isSummed = sums.some(({ sum, isDescribed }, at) => !isDescribed && sums.some((other, place) => place !== at && other.sum === sum))
  return isSummed ? 'Two tables state the same units of each week; which of them is ordered?' : undefined
}

function saysWindows({ lineOf }: ReadRegion, lines: readonly OrderLine[]): boolean {
  return lineOf.some((at) => at !== undefined && lines[at]?.start !== undefined)
}

function headingsOf({ region }: ReadRegion): string {
  return region.headings.map(({ text }) => text).join('|')
}

/** The units of each week or day of a table, as text; empty for a table of a single line, whose likeness says nothing. */
function sumsOf({ lineOf }: ReadRegion, lines: readonly OrderLine[]): string {
  const own = lineOf.flatMap((at) => (at === undefined ? [] : [lines[at] as OrderLine]))
  const units = new Map<string, number>()
  for (const { start, units: some } of own.flatMap(({ periods }) => periods)) units.set(start, (units.get(start) ?? 0) + some)
  const sums = [...units].sort(([a], [b]) => (a < b ? -1 : 1))
  return sums.length < 2 ? '' : sums.map(([start, sum]) => `${start}:${sum}`).join(' ')
}
