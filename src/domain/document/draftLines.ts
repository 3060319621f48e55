import type { LineResolution } from '../../contract/confirmOrder.ts'
import type { LineDoubt, UnresolvedValue } from '../../contract/documentParse.ts'
import type { Product } from '../../contract/product.ts'
import type { Period } from '../../contract/scalars.ts'
import { type ProductFinder, shownProduct } from './productFinder.ts'
import type { ReadLine } from './reading.ts'
import { CELL_CHARACTERS } from './table.ts'
import { readCount } from './values/amounts.ts'

/** A line of a document with the values resolved so far and the unresolved ones. */
export interface DraftLine {
  readonly line: number
  readonly read: ReadLine
  readonly resolution: LineResolution | undefined
  readonly product: Product | undefined
  readonly period: Period | undefined
  /** Also undefined if the line states an impressions goal: its units follow from the price. */
  readonly units: number | undefined
  readonly goal: number | undefined
  /** Doubts about the terms of its price; a price that the buyer chooses settles them. */
  readonly priceDoubts: readonly LineDoubt[]
  readonly unresolved: readonly UnresolvedValue[]
}

/** Resolves the product, period and units of every line. The buyer's resolutions take precedence over the document. */
export function draftLines(
  lines: readonly { readonly line: number; readonly read: ReadLine; readonly doubts?: readonly LineDoubt[] | undefined }[],
  find: ProductFinder['find'],
  resolutions: readonly LineResolution[] = [],
): DraftLine[] {
  return lines.map(({ line, read, doubts = [] }) => {
    const resolution = resolutions.find((of) => of.line === line)
    const found = find({ read, chosen: resolution?.product_id })
    const product = 'product_id' in found ? found : undefined
    const period = resolution?.period ?? read.period?.value
    const units = resolution?.units ?? positive(read.units?.read)
    const goal = units === undefined && read.units === undefined ? positive(read.impressions_goal?.read) : undefined
    const unresolved = [
      ...cutValues(line, read, resolution),
      ...('message' in found ? [unresolvedOf(line, 'product_id', read.product, found.message, found.published)] : []),
      ...(period === undefined ? [unresolvedOf(line, 'period', read.period, aboutPeriod(read))] : []),
      ...(units === undefined && goal === undefined ? [unresolvedOf(line, 'units', read.units, aboutUnits(read))] : []),
    ]
    const asked = new Set(unresolved.map(({ field }) => field))
    const open = doubts.filter(({ field }, at) => !asked.has(field) && !isSettled(field, resolution) && isFirst(doubts, at))
    const priceDoubts = open.filter(({ field }) => resolvedBy(field) === 'locked_rate_id')
    const doubted = open
      .filter(({ field }) => resolvedBy(field) !== 'locked_rate_id')
      .map(({ field, message }) =>
        unresolvedOf(line, field, readOf(read, field), message, field === 'product_id' && product ? [shownProduct(product)] : []),
      )
    return { line, read, resolution, product, period, units, goal, priceDoubts, unresolved: [...unresolved, ...doubted] }
  })
}

/** Several doubts of one member are one question. */
function isFirst(doubts: readonly LineDoubt[], at: number): boolean {
  return doubts.findIndex(({ field }) => field === doubts[at]?.field) === at
}

export function unresolvedOf(
  line: number,
  field: string,
  value: { read: string; at: string } | undefined,
  message: string,
  published: readonly Record<string, unknown>[] = [],
): UnresolvedValue {
  return { line, field, read: value?.read ?? null, at: value?.at ?? null, message, published: published.slice(0, SHOWN) }
}

/** The most alternatives to list. */
const SHOWN = 10

/** Reports values that were truncated, unless the buyer has resolved them. */
function cutValues(line: number, read: ReadLine, resolution: LineResolution | undefined): UnresolvedValue[] {
  return (Object.keys(read) as (keyof ReadLine)[]).flatMap((member) => {
    const value = read[member]
    const field = FIELDS[member] ?? member
    if (value === undefined || value.read.length <= CELL_CHARACTERS || isSettled(field, resolution)) return []
    return [unresolvedOf(line, field, value, `The value is longer than ${CELL_CHARACTERS} characters and was truncated.`)]
  })
}

/** The names of members in `unresolved` that differ from those in `read`. */
const FIELDS: Partial<Record<keyof ReadLine, string>> = { product: 'product_id', unit_cost: 'rate', cpm: 'rate', impressions_goal: 'units' }

/** Returns the value of a line that a member of `unresolved` is about. */
export function readOf(read: ReadLine, field: string): { read: string; at: string } | undefined {
  const members = (Object.keys(read) as (keyof ReadLine)[]).filter((member) => (FIELDS[member] ?? member) === field)
  return members.map((member) => read[member]).find((value) => value !== undefined)
}

/** Returns the member of a resolution that settles a member of `unresolved`: a chosen price brings all of its terms with it. */
function resolvedBy(field: string): Exclude<keyof LineResolution, 'line'> {
  if (field === 'product_id' || field === 'network') return 'product_id'
  return field === 'period' || field === 'units' ? field : 'locked_rate_id'
}

function isSettled(field: string, resolution: LineResolution | undefined): boolean {
  return resolution?.[resolvedBy(field)] !== undefined
}

/** Returns ` at B7`, the place of the line's first value. */
function placeOf(read: ReadLine): string {
  const [first] = Object.values(read)
  return first === undefined ? '' : ` at ${first.at}`
}

function aboutPeriod(read: ReadLine): string {
  return read.period === undefined
    ? `The line${placeOf(read)} has no period.`
    : 'The value is not a day, week or month that a line can book.'
}

function aboutUnits(read: ReadLine): string {
  const { units, impressions_goal } = read
  if (units !== undefined) return 'The value is not a positive number of units.'
  return impressions_goal === undefined ? `The line${placeOf(read)} has no units.` : 'The value is not a number of impressions.'
}

function positive(text: string | undefined): number | undefined {
  const count = text === undefined ? undefined : readCount(text)
  return count !== undefined && count >= 1 ? count : undefined
}
