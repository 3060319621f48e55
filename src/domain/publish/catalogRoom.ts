import type { EntryError } from '../../contract/product.ts'
import type { CatalogTerms } from './productTerms.ts'
import { invalidEntry, type Parsed } from './staged.ts'

/** The size of a catalog and its limit. */
export interface CatalogRoom {
  /** Products that are not withdrawn. */
  readonly available: number
  /** All products, withdrawn ones included. */
  readonly kept: number
  /** The setting PRODUCTS_PER_SELLER. */
  readonly max: number
}

/** The multiple of the setting that bounds all kept products: withdrawn ones stay for orders that book them and do not slow reads. */
const KEPT = 10

/**
 * Splits products into those that fit into the catalog and those that do not, each with INVALID_ENTRY. Products that the update withdraws make
 * room for those that it adds, in any order. `known` maps each known product to whether it is withdrawn.
 */
export function withinRoom<P extends Pick<CatalogTerms, 'product_id' | 'status'>>(
  products: readonly Parsed<P>[],
  known: ReadonlyMap<string, { readonly withdrawn: boolean }>,
  { available, kept, max }: CatalogRoom,
): { kept: Parsed<P>[]; errors: EntryError[] } {
  const isAvailable = ({ status }: P) => status !== 'withdrawn'
  const wasAvailable = ({ product_id }: P) => known.get(product_id)?.withdrawn === false
  let room = max - available + products.filter(({ value }) => wasAvailable(value) && !isAvailable(value)).length
  let places = max * KEPT - kept
  const errors: EntryError[] = []
  const fitting = products.filter(({ index, value }) => {
    const takesRoom = isAvailable(value) && !wasAvailable(value) ? 1 : 0
    const takesPlace = known.has(value.product_id) ? 0 : 1
    const fault = takesRoom > room ? full(max) : takesPlace > places ? fullForGood(max * KEPT) : undefined
    if (fault !== undefined) {
      errors.push(invalidEntry(index, 'product_id', value.product_id, fault))
      return false
    }
    room -= takesRoom
    places -= takesPlace
    return true
  })
  return { kept: fitting, errors }
}

function full(max: number): string {
  return `A catalog can have at most ${max} products (PRODUCTS_PER_SELLER), not counting withdrawn ones. Withdraw products that are no longer sold.`
}

function fullForGood(max: number): string {
  return `A catalog can have at most ${max} products, including withdrawn ones (ten times PRODUCTS_PER_SELLER). Reuse the id of a withdrawn product.`
}
