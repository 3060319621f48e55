import { addUp } from '../addUp.ts'
import type { Row } from './cells.ts'
import { textOf } from './cells.ts'
import type { OrderLine } from './lines.ts'
import type { ReadRegion } from './proof/index.ts'

/** Parts of a document of which only one is ordered. */
export interface Alternatives {
  readonly message: string
  /** The parts by their names, each with the positions of its lines; empty where lines cannot be told apart by them. */
  readonly parts: ReadonlyMap<string, readonly number[]>
}

/** What stands around the tables of a document: rows of text, and the names of its sheets. */
export interface RelatedOrders {
  readonly around: readonly Row[]
  readonly names: readonly (string | undefined)[]
}

const OPTION = /\boption\s+(\d+|[a-z])\b/i

/**
 * Returns the question which part of a document is ordered, where not all of it can be: it names an option, it has sheets with equal headings and
 * unlike numbers, or one of its tables names no windows and states the same units of each week as another, which it may only sum up.
 */
export function alternativesIn(
  regions: readonly ReadRegion[],
  lines: readonly OrderLine[],
  { around, names }: RelatedOrders,
): Alternatives | undefined {
  const titles = [...around.map(textOf), ...regions.map(({ region }) => region.title), ...names.map((name) => name ?? '')]
  const options = new Set(titles.flatMap((text) => optionIn(text) ?? []))
  if (options.size > 0) {
    const titled = around.filter((row) => optionIn(textOf(row)) !== undefined)
    const message = `The document names ${[...options].join(' and ')}. Choose the option that is ordered.`
    return { message, parts: partsOf(lines, (line) => optionOf(line, regions, { around: titled, names })) }
  }
  const booked = regions.filter(({ lineOf }) => lineOf.some((line) => line !== undefined))
  const sheets = booked.filter(({ region }) => region.layout === 'grid')
  const [first, ...others] = sheets
  if (first !== undefined && others.some((other) => other.region.sheet !== first.region.sheet && headingsOf(other) === headingsOf(first)))
    return {
      message: 'Several sheets have the same headings. Choose the one that is ordered.',
      parts: partsOf(lines, ({ sheet }) => names[sheet]),
    }
  const sums = booked
    .map((region) => ({ sum: sumsOf(region, lines), isDescribed: saysWindows(region, lines) }))
    .filter(({ sum }) => sum !== '')
  const isSummed = sums.some(({ sum, isDescribed }, at) => !isDescribed && sums.some((other, place) => place !== at && other.sum === sum))
  if (!isSummed) return undefined
  return {
    message: 'Two tables state the same units of each week. Choose the one that is ordered.',
    parts: partsOf(lines, ({ region }) => (regions[region]?.region.title ? `${region + 1}. ${regions[region]?.region.title}` : undefined)),
  }
}

/** Tells the parts that all lines are of; none where a line is of none, or all are of one. */
function partsOf(lines: readonly OrderLine[], nameOf: (line: OrderLine) => string | undefined): Map<string, number[]> {
  const parts = new Map<string, number[]>()
  for (const [place, line] of lines.entries()) {
    const name = nameOf(line)
    if (name === undefined) return new Map()
    parts.set(name, [...(parts.get(name) ?? []), place])
  }
  return parts.size > 1 ? parts : new Map()
}

/** The option of a line: the last one that is named above it, or by its sheet. */
function optionOf(line: OrderLine, regions: readonly ReadRegion[], { around, names }: RelatedOrders): string | undefined {
  const own = optionIn(names[line.sheet] ?? '') ?? optionIn(regions[line.region]?.region.title ?? '')
  if (own !== undefined) return own
  const above = around.findLast(({ sheet, y }) => sheet < line.sheet || (sheet === line.sheet && y < line.y))
  return above && optionIn(textOf(above))
}

function optionIn(text: string): string | undefined {
  return OPTION.exec(text)?.[0].toLowerCase()
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
  for (const { start, units: some } of own.flatMap(({ periods }) => periods)) addUp(units, start, some)
  const sums = [...units].sort(([a], [b]) => (a < b ? -1 : 1))
  return sums.length < 2 ? '' : sums.map(([start, sum]) => `${start}:${sum}`).join(' ')
}
