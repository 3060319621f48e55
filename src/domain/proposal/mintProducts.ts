import type { Fault } from '../../contract/errorEnvelope.ts'
import type { PlanLine } from '../../contract/planOrder.ts'
import type { Product } from '../../contract/product.ts'
import { tidy } from '../publish/stageCatalog.ts'

export interface MintTerms {
  /** The external_refs in the seller's catalog, with their product ids. */
  taken_refs: ReadonlyMap<string, string>
}

/** The part of the seller's catalog that the buyer sees. */
interface Scoped {
  products: readonly Product[]
}

/**
 * Mints the products that a plan defines for its buyer, one per definition, however many lines book it (contract, Plan proposal).
 * The catalog restricts them to that buyer, so their own visibility stays open.
 */
export function mintProducts(
  items: readonly Pick<PlanLine, 'product'>[],
  terms: MintTerms & Scoped,
  productIds: readonly string[],
): { minted: Product[]; productOf(index: number): string | undefined; faults: Fault[] } {
  const minted: Product[] = []
  const faults: Fault[] = []
  const idOf = new Map<string, string>()
  const refs = new Map(terms.taken_refs)
  const ofLine = items.map(({ product }, index) => {
    if (product === undefined) return undefined
    const definition = JSON.stringify(product)
    const known = idOf.get(definition)
    if (known !== undefined) return known
    const made = tidy<Product>({ ...product, product_id: productIds[index] as string, visibility: 'open' })
    faults.push(...checkProduct(made, terms, refs, `line_items.${index}.product`))
    if (made.external_ref !== undefined) refs.set(made.external_ref, made.product_id)
    idOf.set(definition, made.product_id)
    minted.push(made)
    return made.product_id
  })
  return { minted, productOf: (index) => ofLine[index], faults }
}

function checkProduct(product: Product, { products }: Scoped, refs: ReadonlyMap<string, string>, at: string): Fault[] {
  const { mirror_product_id: mirror, external_ref } = product
  const holder = external_ref === undefined ? undefined : refs.get(external_ref)
  const faults: Fault[] = []
  if (mirror !== undefined && !products.some(({ product_id }) => product_id === mirror)) {
    faults.push({
      error_code: 'INVALID_INPUT',
      field: `${at}.mirror_product_id`,
      message: `${mirror} is not a product that this buyer may see.`,
    })
  }
  if (holder !== undefined) {
    const message = `${at}.external_ref must be unique in a catalog; ${external_ref} belongs to ${holder}.`
    faults.push({
      error_code: 'DUPLICATE_EXTERNAL_REF',
      field: `${at}.external_ref`,
      message,
      details: { external_ref, product_ids: [holder, product.product_id] },
    })
  }
  return faults
}
