import type { Product } from '../../contract/product.ts'
import { type IsoDate, weekOf } from '../calendar.ts'

/** The members of a product that the rules of a catalog compare. */
export type CatalogTerms = Pick<
  Product,
  | 'product_id'
  | 'type'
  | 'status'
  | 'effective'
  | 'currencies'
  | 'buy_types'
  | 'grains'
  | 'visibility'
  | 'disclosure'
  | 'reporting_dayparts'
  | 'external_ref'
  | 'spot_lengths'
  | 'advertiser_classes'
  | 'mirror_product_id'
>

/**
 * A product as the rules of a publish read it: without what may be large, its definition and billboard. A publish may name a hundred
 * thousand products, and a product may have thousands of occurrences.
 */
export interface ProductTerms extends CatalogTerms {
  /** The ISO weeks in which a program airs; undefined for products that air in every week. */
  readonly air_weeks: readonly string[] | undefined
}

export function termsOf(product: Product): ProductTerms {
  const { product_id, type, status, effective, currencies, buy_types, grains, visibility, disclosure, reporting_dayparts } = product
  const { external_ref, spot_lengths, advertiser_classes, mirror_product_id } = product
  return {
    ...{ product_id, type, status, effective, currencies, buy_types, grains, visibility, disclosure, reporting_dayparts },
    ...{ external_ref, spot_lengths, advertiser_classes, mirror_product_id },
    air_weeks: product.type === 'program' ? weeksOf(product.definition.occurrences) : undefined,
  }
}

function weeksOf(occurrences: readonly { readonly date: IsoDate }[]): string[] {
  const dates = new Set(occurrences.map(({ date }) => date))
  return [...new Set([...dates].map(weekOf))]
}
