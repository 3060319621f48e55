import type { EntryError, Product } from '../../contract/product.ts'
import { invalidEntry, type Parsed } from './staged.ts'

/** How many products a catalog holds, and how many it may. */
export interface CatalogRoom {
  /** Products that are not withdrawn. */
  readonly available: number
  /** All products, withdrawn ones included. */
  readonly kept: number
  /** The setting PRODUCTS_PER_SELLER. */
  readonly most: number
}

/** Withdrawn products stay for the orders that book them, and cost no read; this many times the bound are kept with the others. */
const KEPT = 10

/**
 * Splits products into those that a catalog has room for and those that it has not, each with INVALID_ENTRY. What an update withdraws makes room
 * for what it adds, wherever it stands in the body. `standing` says of each known product whether it is withdrawn.
 */
export function withinRoom(
  products: readonly Parsed<Product>[],
  standing: ReadonlyMap<string, { readonly withdrawn: boolean }>,
  { available, kept, most }: CatalogRoom,
): { kept: Parsed<Product>[]; errors: EntryError[] } {
  const isAvailable = ({ status }: Product) => status !== 'withdrawn'
  const wasAvailable = ({ product_id }: Product) => standing.get(product_id)?.withdrawn === false
  let room = most - available + products.filter(({ value }) => wasAvailable(value) && !isAvailable(value)).length
  let places = most * KEPT - kept
  const errors: EntryError[] = []
  const fitting = products.filter(({ index, value }) => {
    const takesRoom = isAvailable(value) && !wasAvailable(value) ? 1 : 0
    const takesPlace = standing.has(value.product_id) ? 0 : 1
    const fault = takesRoom > room ? full(most) : takesPlace > places ? fullForGood(most * KEPT) : undefined
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

function full(most: number): string {
  return `A catalog holds at most ${most} products (PRODUCTS_PER_SELLER), withdrawn ones aside: withdraw what is no longer sold.`
}

function fullForGood(most: number): string {
  return `A catalog keeps at most ${most} products, withdrawn ones included (ten times PRODUCTS_PER_SELLER): use the id of a withdrawn one again.`
}
