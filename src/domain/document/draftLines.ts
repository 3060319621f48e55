import type { Resolution } from '../../contract/confirmOrder.ts'
import type { UnresolvedValue } from '../../contract/documentParse.ts'
import type { Product } from '../../contract/product.ts'
import type { Period } from '../../contract/scalars.ts'
import { productFinder } from './productFinder.ts'
import type { ReadLine } from './readDocument.ts'
import { readCount } from './readValue.ts'

/** A line on its way to an order: what of it is known so far, and what about it is not. */
export interface DraftLine {
  readonly line: number
  readonly read: ReadLine
  readonly resolution: Resolution | undefined
  readonly product: Product | undefined
  readonly period: Period | undefined
  /** Undefined too when the line names an impressions goal instead: its units follow from the price. */
  readonly units: number | undefined
  readonly goal: number | undefined
  readonly unresolved: readonly UnresolvedValue[]
}

/** Finds the product, the period and the units of every line. What the buyer says of a line goes before what was read. */
export function draftLines(
  lines: readonly { readonly line: number; readonly read: ReadLine }[],
  products: readonly Product[],
  resolutions: readonly Resolution[] = [],
): DraftLine[] {
  if (lines.length === 0) return [] // and a catalog may be long
  const find = productFinder(products)
  return lines.map(({ line, read }) => {
    const resolution = resolutions.find((of) => of.line === line)
    const found = find(read, resolution?.product_id)
    const product = 'product_id' in found ? found : undefined
    const period = resolution?.period ?? read.period?.value
    const units = resolution?.units ?? positive(read.units?.read)
    const goal = units === undefined && read.units === undefined ? positive(read.impressions_goal?.read) : undefined
    const unresolved = [
      ...('message' in found ? [unresolvedOf(line, 'product_id', read.product, found.message, found.published)] : []),
      ...(period === undefined ? [unresolvedOf(line, 'period', read.period, aboutPeriod(read))] : []),
      ...(units === undefined && goal === undefined ? [unresolvedOf(line, 'units', read.units, aboutUnits(read))] : []),
    ]
    return { line, read, resolution, product, period, units, goal, unresolved }
  })
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

/** Of what is published instead, as much as helps. */
const SHOWN = 10

function aboutPeriod({ period }: ReadLine): string {
  return period === undefined ? 'The line names no period.' : 'It is no day, week or month that a line can book.'
}

function aboutUnits({ units, impressions_goal }: ReadLine): string {
  if (units !== undefined) return 'It is no number of units from one on.'
  return impressions_goal === undefined ? 'The line names no units.' : 'It is no number of impressions.'
}

function positive(text: string | undefined): number | undefined {
  const count = text === undefined ? undefined : readCount(text)
  return count === undefined || count < 1 ? undefined : count
}
