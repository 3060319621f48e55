import type { Product } from '../../contract/product.ts'
import { addUp } from '../addUp.ts'
import { soldTitle } from '../lines/productTitle.ts'
import { type AiringProducts, airtimeFinder } from './airtimeFinder.ts'
import type { ReadLine } from './reading.ts'
import { wordOf } from './readValue.ts'

/** The reason why a product was not found, with similar published products. */
export interface NotFound {
  readonly message: string
  readonly published: Record<string, unknown>[]
}

/** The product as a line states it, and the product_id that the buyer chose instead. */
export interface SoughtProduct {
  readonly read: ReadLine
  readonly chosen?: string | undefined
}

/**
 * Finds the products that lines name, ignoring case and punctuation: by product_id, name or selling title, and by network if several match. A line
 * that names none by its words is of the one product of its network that airs on just its days and in just its window. Reads the catalog once, page by page, and keeps only possible matches, so memory does not grow with the catalog.
 */
export interface ProductFinder {
  add(products: readonly Product[]): void
  find(sought: SoughtProduct): Product | NotFound
}

export function productFinder(lines: readonly SoughtProduct[]): ProductFinder {
  const byId = soughtBy(lines.flatMap(({ chosen }) => chosen ?? []))
  const said = [...new Set(lines.flatMap(({ read }) => read.product?.read ?? []))]
  const byWrittenId = soughtBy(said.map(written))
  const byName = soughtBy(said.map(wordOf))
  const byPart = soughtBy(
    said.flatMap((text) => partsOf(wordOf(text))),
    LOOKED_AT,
  )
  const airings = airtimeFinder(lines.flatMap(({ read, chosen }) => (chosen === undefined ? [read] : [])))
  const answers = new Map<string, Product | NotFound>()
  const look = (said: string, network: string | undefined): Product | NotFound => {
    const word = wordOf(said)
    const byWriting = productsOf(byWrittenId, written(said))
    const named = byWriting.length > 0 ? byWriting : productsOf(byName, word)
    const onNetwork = network === undefined ? named : named.filter((product) => wordOf(product.network) === wordOf(network))
    const [found, ...others] = onNetwork
    if (found !== undefined && others.length === 0) return found
    if (onNetwork.length > 1) return { message: 'Several products have this name.', published: onNetwork.slice(0, SHOWN).map(shownProduct) }
    if (named.length > 0) return { message: `The product is not sold on ${network}.`, published: named.slice(0, SHOWN).map(shownProduct) }
    return { message: NOT_SOLD, published: similar(word, byPart).map(shownProduct) }
  }
  return {
    add(products) {
      for (const product of products) {
        const words = namesOf(product).map(wordOf)
        airings.add(product)
        put(byId, [product.product_id], product)
        put(byWrittenId, [written(product.product_id)], product)
        put(byName, words, product)
        put(byPart, [wordOf(product.product_id), ...words].flatMap(allPartsOf), product)
      }
    },
    find({ read, chosen }) {
      const { product: said, network } = read
      if (chosen !== undefined) {
        return productsOf(byId, chosen)[0] ?? { message: `${chosen} is not a product of this seller.`, published: [] }
      }
      const airing = airings.find(read)
      if (said === undefined)
        return airing === undefined ? { message: 'The line has no product.', published: [] } : byAirtime(airing, undefined)
      const key = JSON.stringify([said.read, network?.read])
      const answer = answers.get(key) ?? look(said.read, network?.read)
      answers.set(key, answer)
      return airing === undefined ? answer : byAirtime(airing, answer)
    },
  }
}

/**
 * Returns the product of a line that says when it airs. Its words decide among those that air then; where they name none of the seller's products,
 * the one that airs just then is it. Words that name a product which does not air then contradict the line, so that it is asked.
 */
function byAirtime({ equal, within }: AiringProducts, named: Product | NotFound | undefined): Product | NotFound {
  const airing = [...equal, ...within]
  if (named !== undefined && 'product_id' in named) {
    // A program says its dates, which no weekdays contradict.
    if (named.type === 'program' || airing.some(({ product_id }) => product_id === named.product_id)) return named
    return { message: 'The product of this name airs at other times.', published: [named, ...airing].slice(0, SHOWN).map(shownProduct) }
  }
  const [only, ...others] = equal
  const isUnnamed = named === undefined || named.message === NOT_SOLD
  if (only !== undefined && others.length === 0 && isUnnamed) return only
  const shown = [...airing.map(shownProduct), ...(named?.published ?? [])]
  const published = shown
    .filter((product, at) => shown.findIndex(({ product_id }) => product_id === product.product_id) === at)
    .slice(0, SHOWN)
  if (airing.length === 0) return named ?? { message: 'The seller has no product at these times.', published }
  return { message: equal.length > 1 ? 'Several products air at these times.' : 'No product airs at just these times.', published }
}

interface Sought {
  readonly products: Product[]
  /** Matches in the catalog; `products` may hold fewer. */
  count: number
}

/** The keys to find, each with its matches up to a limit. */
interface SoughtKeys {
  readonly keys: ReadonlyMap<string, Sought>
  readonly max: number
}

function soughtBy(keys: readonly string[], max = Number.POSITIVE_INFINITY): SoughtKeys {
  return { keys: new Map(keys.map((key) => [key, { products: [], count: 0 }])), max }
}

function put({ keys, max }: SoughtKeys, of: readonly string[], product: Product): void {
  for (const key of new Set(of)) {
    const sought = keys.get(key)
    if (sought === undefined) continue
    sought.count += 1
    if (sought.products.length < max) sought.products.push(product)
  }
}

function productsOf({ keys }: SoughtKeys, key: string): readonly Product[] {
  return keys.get(key)?.products ?? []
}

function written(id: string): string {
  return id.trim().toLowerCase()
}

/** Returns the names under which a product is sold. */
function namesOf(product: Product): string[] {
  return [product.name, soldTitle(product)].filter((word) => word !== undefined)
}

/** Returns the words that similarity compares; the first words of a name are enough. */
function partsOf(word: string): string[] {
  return allPartsOf(word).slice(0, PARTS)
}

function allPartsOf(word: string): string[] {
  return word.split(' ').filter((part) => part.length > 2)
}

/** Returns a product as an alternative to choose. */
export function shownProduct(product: Product): Record<string, unknown> {
  return { product_id: product.product_id, network: product.network, title: namesOf(product)[0] ?? product.product_id }
}

/** Returns products that share words with the value, those with the most first. Rare words count more, since common ones say little. */
function similar(word: string, { keys }: SoughtKeys): Product[] {
  const groups = [...new Set(partsOf(word))].flatMap((part) => keys.get(part) ?? []).sort((a, b) => a.count - b.count)
  const shared = new Map<Product, number>()
  for (const product of groups.flatMap(({ products }) => products)) addUp(shared, product)
  return [...shared]
    .sort(([, a], [, b]) => b - a)
    .slice(0, SHOWN)
    .map(([product]) => product)
}

const NOT_SOLD = 'The seller has no product with this name.'
const PARTS = 12
/** The most products to consider per word, in a catalog of any size. */
const LOOKED_AT = 100
/** The most products to list as alternatives. */
const SHOWN = 10
