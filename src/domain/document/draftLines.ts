import type { Resolution } from '../../contract/confirmOrder.ts'
import type { UnresolvedValue } from '../../contract/documentParse.ts'
import type { Product } from '../../contract/product.ts'
import type { Period } from '../../contract/scalars.ts'
import type { ReadLine } from './readDocument.ts'
import { readCount, wordOf } from './readValue.ts'

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
  return lines.map(({ line, read }) => {
    const resolution = resolutions.find((of) => of.line === line)
    const found = findProduct(read, resolution, products)
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

function findProduct(
  { product: said, network }: ReadLine,
  resolution: Resolution | undefined,
  products: readonly Product[],
): Product | { message: string; published: Record<string, unknown>[] } {
  const byId = resolution?.product_id ?? undefined
  if (byId !== undefined) {
    const product = products.find(({ product_id }) => product_id === byId)
    return product ?? { message: `${byId} is not a product of this seller.`, published: [] }
  }
  if (said === undefined) return { message: 'The line names no product.', published: [] }
  const word = wordOf(said.read)
  const own = products.filter(({ product_id }) => product_id.toLowerCase() === said.read.trim().toLowerCase())
  const named = own.length > 0 ? own : products.filter((product) => namesOf(product).some((name) => wordOf(name) === word))
  const onNetwork = network === undefined ? named : named.filter((product) => wordOf(product.network) === wordOf(network.read))
  const [found, ...others] = onNetwork
  if (found !== undefined && others.length === 0) return found
  if (onNetwork.length > 1) return { message: 'Several products are called so.', published: onNetwork.map(shown) }
  if (named.length > 0) return { message: `It is not sold on ${network?.read}.`, published: named.map(shown) }
  return { message: 'No product of this seller is called so.', published: similar(word, products).map(shown) }
}

/** What a product is sold as. */
function namesOf({ name, ...product }: Product): string[] {
  const title = product.type === 'program' ? product.definition.title : product.definition.selling_title
  return [name, title].filter((word) => word !== undefined)
}

function shown(product: Product): Record<string, unknown> {
  return { product_id: product.product_id, network: product.network, title: namesOf(product)[0] ?? product.product_id }
}

/** Products whose names have a word in common with what was read, those with the most first. */
function similar(word: string, products: readonly Product[]): Product[] {
  const words = new Set(word.split(' ').filter((part) => part.length > 2))
  const common = (product: Product) =>
    new Set([product.product_id, ...namesOf(product)].flatMap((name) => wordOf(name).split(' ')).filter((part) => words.has(part))).size
  return products
    .map((product) => ({ product, shared: common(product) }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
    .map(({ product }) => product)
}

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
