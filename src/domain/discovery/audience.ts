import type { Product } from '../../contract/product.ts'
import { type Disclosing, disclosureFor, NO_OVERRIDES, overridesOfOne } from '../agreement/disclosure.ts'
import { visibleProducts } from '../agreement/visibleProducts.ts'

/** An agreement in force, as far as it says what its buyer sees. */
export interface Held extends Disclosing {
  readonly agreement_id: string
}

/** Buyers that hold the same agreements with a seller, and therefore see the same. */
export interface Readers {
  readonly buyers: readonly string[]
  readonly agreements: readonly Held[]
}

/** The part of a product that decides who sees it and its prices. */
export type Sighted = Pick<Product, 'product_id' | 'status' | 'visibility' | 'disclosure'> & { readonly minted_for?: string | undefined }

/**
 * Of some products the ones whose prices these readers may see: in sight, and priced openly to them, whichever of their agreements they
 * present; a card that is scoped to an agreement is for those who hold it alone (spec, Product and Agreement; choices, Presenting an agreement).
 */
export function pricesSeenBy<P extends Sighted>({ buyers, agreements }: Readers, products: readonly P[], agreementId: string | null): P[] {
  const presentable = agreementId === null ? agreements : agreements.filter(({ agreement_id }) => agreement_id === agreementId)
  if (agreementId !== null && presentable.length === 0) return []
  const overrides = presentable.map(overridesOfOne)
  // With one agreement it speaks even when it is not presented; with none or several the product speaks for itself.
  const presentations = agreementId === null && agreements.length !== 1 ? [NO_OVERRIDES, ...overrides] : overrides
  const forThem = ({ status, minted_for }: P) =>
    status !== 'withdrawn' && (minted_for === undefined || (buyers.length === 1 && buyers[0] === minted_for))
  return visibleProducts(products.filter(forThem), agreements).filter((product) =>
    presentations.some((own) => disclosureFor(product, own).pricing_policy === 'published'),
  )
}

/** The same readers, with every buyer standing alone for whom one of the products was made: it sees what the others of its group do not. */
export function standingAlone(audience: readonly Readers[], products: readonly Sighted[]): Readers[] {
  const made = new Set(products.flatMap(({ minted_for }) => minted_for ?? []))
  if (made.size === 0) return [...audience]
  return audience.flatMap(({ buyers, agreements }) => [
    { buyers: buyers.filter((buyer) => !made.has(buyer)), agreements },
    ...buyers.filter((buyer) => made.has(buyer)).map((buyer) => ({ buyers: [buyer], agreements })),
  ])
}
