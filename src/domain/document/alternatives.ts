import { addUp } from '../addUp.ts'
import type { Row } from './cells.ts'
import { textOf } from './cells.ts'
import type { OrderLine } from './lines.ts'
import type { Proof, ReadRegion } from './proof/index.ts'
import { wordOf } from './readValue.ts'

/** Parts of a document of which only one is ordered. */
export interface Alternatives {
  readonly message: string
  /** The parts by their names, each with the positions of its lines; empty where lines cannot be told apart by them. */
  readonly parts: ReadonlyMap<string, readonly number[]>
}

/** What the steps before made of a document. */
export interface Built {
  readonly regions: readonly ReadRegion[]
  readonly lines: readonly OrderLine[]
  readonly proof: Proof
}

/** What stands around the tables of a document: rows of text, and the names of its sheets. */
export interface RelatedOrders {
  readonly around: readonly Row[]
  readonly names: readonly (string | undefined)[]
}

/** `Option 1`, `OPTION B`; a small letter is a word: `at its option a spot may`. */
const OPTION = /\b(?:[Oo]ption|OPTION)\s+(?:\d{1,2}|[A-Z])\b/
/** Other words for an option name one only beside a second of the same word, at the begin of a title. */
const NAMED_OPTION = /^\W*(plan|scenario|alternative|version|proposal|package)\s+#?(\d{1,2}|[a-f])\b(?!\/)/i

/**
 * Returns the question which part of a document is ordered, where not all of it can be: it names an option, it has sheets with equal headings and
 * unlike numbers, or one of its tables names no windows and states the same units of each week as another, which it may only sum up. Sheets of
 * stations of their own, and parts that a total sums up, are all ordered.
 */
export function alternativesIn({ regions, lines, proof }: Built, { around, names }: RelatedOrders): Alternatives | undefined {
  const titles = [...around.map(textOf), ...regions.map(({ region }) => region.title), ...names.map((name) => name ?? '')]
  const isSummed = (partOf: (line: OrderLine, place: number) => unknown) =>
    proof.equations.some(
      ({ scope, ties, lines: summed }) =>
        scope === 'total' && ties && new Set(summed.map((place) => partOf(lines[place] as OrderLine, place))).size > 1,
    )
  const options = optionsIn(titles)
  const optionIn: OptionIn = (text) => namedIn(text).find((name) => options.has(name))
  const titled = around.filter((row) => optionIn(textOf(row)) !== undefined)
  const partOf = (line: OrderLine) => optionOf(line, regions, { around: titled, names, optionIn })
  const isCertain = [...options].some((name) => name.startsWith('option'))
  if (options.size > 0 && (isCertain || !isSummed(partOf))) {
    const message = `The document names ${[...options].join(' and ')}. Choose the option that is ordered.`
    return { message, parts: partsOf(lines, partOf) }
  }
  const booked = regions.filter(({ lineOf }) => lineOf.some((line) => line !== undefined))
  const sheets = booked.filter(({ region }) => region.layout === 'grid')
  const [first, ...others] = sheets
  const copies = copiesIn(lines)
  if (copies !== undefined && !isSummed((_, place) => copies.second.has(place)))
    return { message: 'The document has its lines twice. Choose the copy that is ordered.', parts: copies.parts }
  const isLike = (other: ReadRegion) => other.region.sheet !== first?.region.sheet && headingsOf(other) === headingsOf(first as ReadRegion)
  if (first !== undefined && others.some(isLike) && !hasOwnStations(lines) && !isSummed(({ sheet }) => sheet))
    return {
      message: 'Several sheets have the same headings. Choose the one that is ordered.',
      parts: partsOf(lines, ({ sheet }) => names[sheet]),
    }
  const sums = booked
    .map((region) => ({ sum: sumsOf(region, lines), isDescribed: saysWindows(region, lines) }))
    .filter(({ sum }) => sum !== '')
  const isTwice = sums.some(({ sum, isDescribed }, at) => !isDescribed && sums.some((other, place) => place !== at && other.sum === sum))
  if (!isTwice) return undefined
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
function optionOf(
  line: OrderLine,
  regions: readonly ReadRegion[],
  { around, names, optionIn }: RelatedOrders & { readonly optionIn: OptionIn },
): string | undefined {
  const own = optionIn(names[line.sheet] ?? '') ?? optionIn(regions[line.region]?.region.title ?? '')
  if (own !== undefined) return own
  const above = around.findLast(({ sheet, y }) => sheet < line.sheet || (sheet === line.sheet && y < line.y))
  return above && optionIn(textOf(above))
}

type OptionIn = (text: string) => string | undefined

/** Returns the names of options in a text: `option 1`, `plan a`. */
function namedIn(text: string): string[] {
  const [, word = '', name = ''] = NAMED_OPTION.exec(text) ?? []
  return [OPTION.exec(text)?.[0] ?? '', word && `${word} ${name}`].flatMap((found) => (found === '' ? [] : [found.toLowerCase()]))
}

function optionsIn(titles: readonly string[]): Set<string> {
  const found = [...new Set(titles.flatMap(namedIn))]
  const kindOf = (name: string) => name.split(' ')[0]
  return new Set(found.filter((name) => kindOf(name) === 'option' || found.filter((other) => kindOf(other) === kindOf(name)).length > 1))
}

/**
 * Returns the lines of the first and of the second copy where each week of most lines stands twice, in different tables or on different pages: a
 * copy to sign and return, or a sheet that has the same order by week. There are no parts where the copies differ, so that they cannot be told apart.
 */
function copiesIn(lines: readonly OrderLine[]): { parts: Map<string, number[]>; second: ReadonlySet<number> } | undefined {
  const found = new Map<string, number[]>()
  lines.forEach(({ network, days, start, end, length, rate, periods }, place) => {
    for (const { start: week, units } of periods) {
      const key = JSON.stringify([network, days, start, end, length, rate?.toFixed(), week, units])
      found.set(key, [...(found.get(key) ?? []), place])
    }
  })
  const partOf = (place: number | undefined) => `${lines[place ?? -1]?.region} ${lines[place ?? -1]?.sheet}`
  const all = [...found.values()]
  const pairs = all.filter((pair) => pair.length === 2 && partOf(pair[0]) !== partOf(pair[1]))
  if (lines.length < 4 || pairs.length < 3 || pairs.length * 2 < all.flat().length * MAJORITY) return undefined
  const first = new Set(pairs.map(([place]) => place))
  const isApart = pairs.length === all.length && pairs.every(([, place]) => !first.has(place))
  const orders = (isFirst: boolean) => [...lines.keys()].filter((place) => first.has(place) === isFirst)
  const second = new Set(pairs.flatMap(([, place]) => place ?? []))
  const named: [string, number[]][] = [
    ['first', orders(true)],
    ['second', orders(false)],
  ]
  return { parts: new Map(isApart ? named : []), second }
}

/** The share of weeks of lines from which on they are copies of each other. */
const MAJORITY = 0.6

/** Returns true if each sheet is of stations that no other one has. */
function hasOwnStations(lines: readonly OrderLine[]): boolean {
  const sheets = new Map<string, Set<number>>()
  for (const { network, sheet } of lines) {
    if (network === undefined) return false
    const key = wordOf(network)
    sheets.set(key, (sheets.get(key) ?? new Set()).add(sheet))
  }
  return [...sheets.values()].every(({ size }) => size === 1)
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
