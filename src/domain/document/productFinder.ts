import type { Product } from '../../contract/product.ts'
import type { ReadLine } from './readDocument.ts'
import { wordOf } from './readValue.ts'

/** Why a line's product is unknown, and what is published that may be meant. */
export interface NotFound {
  readonly message: string
  readonly published: Record<string, unknown>[]
}

/**
 * Finds what lines call products, whatever the case and marks: by product_id, name or selling title, by network where several are called so. The
 * catalog is gone through once, however many lines there are. `chosen` is a product_id that the buyer has named instead.
 */
export function productFinder(products: readonly Product[]): (read: ReadLine, chosen: string | undefined) => Product | NotFound {
  const byId = new Map(products.map((product) => [product.product_id, product]))
  const byWrittenId = grouped(products, ({ product_id }) => [product_id.toLowerCase()])
  const byName = grouped(products, (product) => namesOf(product).map(wordOf))
  let byPart: Groups | undefined
  return ({ product: said, network }, chosen) => {
    if (chosen !== undefined) return byId.get(chosen) ?? { message: `${chosen} is not a product of this seller.`, published: [] }
    if (said === undefined) return { message: 'The line names no product.', published: [] }
    const word = wordOf(said.read)
    const named = byWrittenId.get(said.read.trim().toLowerCase()) ?? byName.get(word) ?? []
    const onNetwork = network === undefined ? named : named.filter((product) => wordOf(product.network) === wordOf(network.read))
    const [found, ...others] = onNetwork
    if (found !== undefined && others.length === 0) return found
    if (onNetwork.length > 1) return { message: 'Several products are called so.', published: onNetwork.map(shown) }
    if (named.length > 0) return { message: `It is not sold on ${network?.read}.`, published: named.map(shown) }
    byPart ??= grouped(products, (product) => [product.product_id, ...namesOf(product)].flatMap((name) => partsOf(wordOf(name))))
    return { message: 'No product of this seller is called so.', published: similar(word, byPart).map(shown) }
  }
}

type Groups = ReadonlyMap<string, readonly Product[]>

/** Products by each of their keys, in the order of the catalog. */
function grouped(products: readonly Product[], keysOf: (product: Product) => string[]): Groups {
  const groups = new Map<string, Product[]>()
  for (const product of products) {
    for (const key of new Set(keysOf(product))) {
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [product])
      else group.push(product)
    }
  }
  return groups
}

/** What a product is sold as. */
function namesOf({ name, ...product }: Product): string[] {
  const title = product.type === 'program' ? product.definition.title : product.definition.selling_title
  return [name, title].filter((word) => word !== undefined)
}

function partsOf(word: string): string[] {
  return word.split(' ').filter((part) => part.length > 2)
}

function shown(product: Product): Record<string, unknown> {
  return { product_id: product.product_id, network: product.network, title: namesOf(product)[0] ?? product.product_id }
}

/** Products whose names have a word in common with what was read, those with the most first. Rare words count first: what half a catalog is called says little. */
function similar(word: string, byPart: Groups): Product[] {
  const groups = [...new Set(partsOf(word))].map((part) => byPart.get(part) ?? []).sort((a, b) => a.length - b.length)
  const shared = new Map<Product, number>()
  for (const product of groups.flatMap((group) => group.slice(0, LOOKED_AT))) shared.set(product, (shared.get(product) ?? 0) + 1)
  return [...shared].sort(([, a], [, b]) => b - a).map(([product]) => product)
}

/** Products of one word: enough to find the best of, however large the catalog. */
const LOOKED_AT = 500
