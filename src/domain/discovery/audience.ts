import type { Product } from '../../contract/product.ts'
import { type Disclosing, disclosureFor, NO_OVERRIDES, overridesOfOne } from '../agreement/disclosure.ts'
import { visibleProducts } from '../agreement/visibleProducts.ts'

/** The members of an agreement in force that decide what its buyer sees. */
export interface Held extends Disclosing {
  readonly agreement_id: string
}

/** Buyers that have the same agreements with a seller and therefore see the same. */
export interface Readers {
  readonly buyers: readonly string[]
  readonly agreements: readonly Held[]
}

/** The members of a product that decide who sees it and its prices. */
export type Visible = Pick<Product, 'product_id' | 'status' | 'visibility' | 'disclosure'> & { readonly minted_for?: string | undefined }

/**
 * Returns the products whose prices these readers may see: visible products whose pricing is published to them under any of their agreements.
 * Only holders of an agreement see a card scoped to it (contract, Product; Agreement; choices, Presenting an agreement).
 */
export function pricesSeenBy<P extends Visible>({ buyers, agreements }: Readers, products: readonly P[], agreementId: string | null): P[] {
  const presentable = agreementId === null ? agreements : agreements.filter(({ agreement_id }) => agreement_id === agreementId)
  if (agreementId !== null && presentable.length === 0) return []
  const overrides = presentable.map(overridesOfOne)
  // A single agreement applies even if it is not presented. With none or several, the product's own disclosure applies too.
  const presentations = agreementId === null && agreements.length !== 1 ? [NO_OVERRIDES, ...overrides] : overrides
  const forThem = ({ status, minted_for }: P) =>
    status !== 'withdrawn' && (minted_for === undefined || (buyers.length === 1 && buyers[0] === minted_for))
  return visibleProducts(products.filter(forThem), agreements).filter((product) =>
    presentations.some((own) => disclosureFor(product, own).pricing_policy === 'published'),
  )
}

/** Moves each buyer for whom one of the products was minted into its own group, since it sees what its former group does not. */
export function splitByMinted(audience: readonly Readers[], products: readonly Visible[]): Readers[] {
  const made = new Set(products.flatMap(({ minted_for }) => minted_for ?? []))
  if (made.size === 0) return [...audience]
  return audience.flatMap(({ buyers, agreements }) => [
    { buyers: buyers.filter((buyer) => !made.has(buyer)), agreements },
    ...buyers.filter((buyer) => made.has(buyer)).map((buyer) => ({ buyers: [buyer], agreements })),
  ])
}
