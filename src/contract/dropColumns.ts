import { Avail } from './avail.ts'
import { type Column, columnsOf } from './dropColumns/columnsOf.ts'
import { Product, PutCatalog } from './product.ts'
import { PutRateCard, RateEntry } from './rateCard.ts'

/** The columns of a flat file of a drop. A column of the head belongs to what holds the entries: the catalog update or the commit. */
export interface DropColumns {
  readonly entry: readonly Column[]
  readonly head: readonly Column[]
}

/** The types whose files publish, as the PUTs do. */
export type PublishedType = 'catalog' | 'rate_cards' | 'avails'

/** The columns of each published type, made from the schemas of the PUTs. */
export const PUBLISH_COLUMNS: Readonly<Record<PublishedType, DropColumns>> = {
  catalog: { entry: columnsOf(Product), head: columnsOf(PutCatalog.pick({ taxonomy_version: true })).map(optional) },
  rate_cards: {
    entry: columnsOf(RateEntry),
    head: columnsOf(PutRateCard.pick({ commit: true, effective: true, agreement_id: true })).map(optional),
  },
  avails: { entry: columnsOf(Avail), head: [] },
}

/** The head has defaults: the taxonomy version of the seller, a commit named after the file, the window of the manifest. */
function optional(column: Column): Column {
  return { ...column, required: false }
}
