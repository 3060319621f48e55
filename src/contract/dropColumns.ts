import { z } from 'zod'
import { Avail, PutAvails } from './avail.ts'
import { AsRunRow, AudiencePostRow, DeliveryPost, InvoiceRow } from './deliveryPost.ts'
import { type Column, columnsOf } from './dropColumns/columnsOf.ts'
import { Product, PutCatalog } from './product.ts'
import { PutRateCard, RateEntry } from './rateCard.ts'
import type { DropFileType, RecordType } from './vocabulary/drops.ts'

/** The content of the files of a type. */
export interface DropFileShape {
  /** The columns of an entry. */
  readonly entry: readonly Column[]
  /** The columns of the catalog update or commit around the entries, repeated in each row. All are optional, since they have defaults. */
  readonly head: readonly Column[]
  /** The member of a json body that holds the entries, and the schema of its other members. */
  readonly list: string
  readonly body: z.ZodType
  /** Whether a file may be an order's csv that is returned filled in, with its apostrophes. */
  readonly isOrderCsv?: boolean
}

const CatalogHead = PutCatalog.omit({ products: true }).partial()
const CommitHead = PutRateCard.omit({ entries: true }).partial()
const AvailsHead = PutAvails.omit({ avails: true })

/** The shape of the files of each type, derived from the schemas of the PUTs. */
export const DROP_FILE_SHAPES: Readonly<Record<DropFileType, DropFileShape>> = {
  catalog: { entry: columnsOf(Product), head: columnsOf(CatalogHead), list: 'products', body: CatalogHead },
  rate_cards: { entry: columnsOf(RateEntry), head: columnsOf(CommitHead), list: 'entries', body: CommitHead },
  avails: { entry: columnsOf(Avail), head: [], list: 'avails', body: AvailsHead },
  delivery_posts: { entry: columnsOf(DeliveryPost), head: [], list: 'posts', body: z.object({}), isOrderCsv: true },
}

/** The columns of each kind of row of delivery posts. */
export const POST_COLUMNS: Readonly<Record<RecordType, readonly Column[]>> = {
  as_run: columnsOf(AsRunRow),
  invoice: columnsOf(InvoiceRow),
  post: columnsOf(AudiencePostRow),
}
