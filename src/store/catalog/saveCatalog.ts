import type { Product } from '../../contract/product.ts'
import { batches } from '../connection/batches.ts'
import { arraysOf, JSON_TEXT, namesOf, valuesOf } from '../connection/columns.ts'
import type { Tx } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import { runOn } from '../connection/txOn.ts'
import type { Hidden } from './hidden.ts'
import type { Publishing } from './publishLock.ts'
import { keepOffers } from './sellerOffers.ts'
import { beginUnpublished, clearUnpublished, deleteReplaced, leaveUnpublished, written } from './unpublished.ts'

/** A product as it is saved. */
export interface ProductToSave extends Pick<Product, 'product_id' | 'external_ref'> {
  /** Returns the product as JSON text. It is called when the product is written, so that never a whole catalog is held as text. */
  readonly text: () => string
}

/** Products that merge into a catalog by product_id, under one taxonomy version. */
export interface CatalogUpdate {
  readonly taxonomyVersion: string
  readonly products: readonly ProductToSave[]
}

/** Returns products that are held as they were parsed, to be saved. */
export function toSave(products: readonly Product[]): ProductToSave[] {
  return products.map((product) => {
    const { product_id, external_ref } = product
    return { product_id, external_ref, text: () => JSON.stringify(product) }
  })
}

/** Products per transaction: few enough to stay short on a busy machine, where each product takes up to a quarter of a millisecond. */
const BATCH = 1_000

/**
 * Writes an update of a catalog, which nobody sees until it is revealed. An update of more than one batch takes short transactions, of which
 * a failure leaves nothing; one of a single batch is written when it is revealed.
 */
export async function saveCatalog(publishing: Publishing, { taxonomyVersion, products }: CatalogUpdate): Promise<Hidden> {
  const { seller } = publishing
  const nothing = async () => undefined
  const [first] = batchesOf(products)
  if (first === undefined) return { reveal: nothing, tidy: nothing, discard: nothing }
  const show = async (tx: Tx, readers: readonly string[]) => {
    await keepOffers(tx, seller, readers)
    await runOn(tx, VERSION.bind({ seller, taxonomy_version: taxonomyVersion }))
  }
  if (first.length === products.length) {
    return {
      async reveal(tx) {
        await mergeProducts(tx, seller, first)
        await show(tx, await readersOf(tx, seller, first))
      },
      tidy: nothing,
      discard: nothing,
    }
  }
  const number = await beginUnpublished(publishing)
  const readers = new Set<string>()
  await written(publishing, number, async () => {
    // References may move between products in one update, so all are released before any is assigned.
    for (const some of batchesOf(products)) await publishing.commit((tx) => replaceProducts(tx, seller, number, some))
    for (const some of batchesOf(products)) await publishing.commit((tx) => addProducts(tx, seller, number, some))
    for (const some of batches(
      products.map(({ product_id }) => ({ product_id })),
      BATCH,
    ))
      for (const reader of await readersOf(publishing.sql, seller, some)) readers.add(reader)
  })
  return {
    async reveal(tx) {
      await show(tx, [...readers])
      await leaveUnpublished(tx, seller, number)
    },
    tidy: () => deleteReplaced(publishing),
    discard: () => clearUnpublished(publishing, number),
  }
}

/** A product with its text, which `batchesOf` has made. */
type Row = Readonly<Record<keyof typeof COLUMNS, string | null>> & { readonly product_id: string }

const COLUMNS = { product_id: 'text', external_ref: 'text', body: JSON_TEXT } as const
const SENT = `unnest(${arraysOf(COLUMNS)}) as sent(${namesOf(COLUMNS).join(', ')})`

function batchesOf(products: readonly ProductToSave[]): Generator<Row[], void> {
  return batches(rowsOf(products), BATCH)
}

function* rowsOf(products: readonly ProductToSave[]): Generator<Row> {
  for (const { product_id, external_ref = null, text } of products) yield { product_id, external_ref, body: text() }
}

/** Writes products that are new or have changed. */
async function mergeProducts(tx: Tx, seller: string, rows: readonly Row[]): Promise<void> {
  const sent = { seller, ...valuesOf(COLUMNS, rows) }
  await runOn(tx, RELEASE.bind(sent))
  await runOn(tx, MERGE.bind(sent))
}

/** Takes the references from products that are sent with another. */
const RELEASE = statement(
  'release-product-refs',
  ['seller', ...namesOf(COLUMNS)],
  `update products p set external_ref = null from ${SENT}
    where p.seller = :seller and p.product_id = sent.product_id and p.replaced_by = 0
      and p.external_ref is not null and p.external_ref is distinct from sent.external_ref`,
)

/** Inserts products, or changes those that differ. */
const MERGE = statement(
  'merge-products',
  ['seller', ...namesOf(COLUMNS)],
  `insert into products (seller, product_id, external_ref, body)
    select :seller, sent.product_id, sent.external_ref, sent.body::json from ${SENT}
    on conflict (seller, product_id, replaced_by) do update
      set external_ref = excluded.external_ref, body = excluded.body, updated_at = now()
      where (products.external_ref, products.body::text) is distinct from (excluded.external_ref, excluded.body::text)`,
)

/** Marks the products that change. They stay in force until the update is published. */
async function replaceProducts(tx: Tx, seller: string, number: string, rows: readonly Row[]): Promise<void> {
  await runOn(tx, REPLACE.bind({ seller, number, ...valuesOf(COLUMNS, rows) }))
}

/**
 * Each product has its own sub-select: a join may read the whole catalog for each product that is sent, since the planner has no statistics
 * of a catalog that was just written.
 */
const REPLACE = statement(
  'replace-products',
  ['seller', 'number', ...namesOf(COLUMNS)],
  `update products set replaced_by = :number::bigint where ctid = any(array(
      select (
        select p.ctid from products p
        where p.seller = :seller and p.product_id = sent.product_id and p.replaced_by = 0
          and (p.external_ref, p.body::text) is distinct from (sent.external_ref, sent.body)
      ) from ${SENT}))`,
)

/** Adds products that are new, or whose earlier rows are marked. */
async function addProducts(tx: Tx, seller: string, number: string, rows: readonly Row[]): Promise<void> {
  await runOn(tx, ADD.bind({ seller, number, ...valuesOf(COLUMNS, rows) }))
}

/**
 * A sub-select gives the number: if the planner knows that it is not 0, it takes the index of all marked rows, which its statistics say is
 * empty, and reads it whole for each product.
 */
const ADD = statement(
  'add-products',
  ['seller', 'number', ...namesOf(COLUMNS)],
  `insert into products (seller, product_id, external_ref, body, minted_for, added_by)
    select :seller, sent.product_id, sent.external_ref, sent.body::json, (
        select minted_for from products p where p.seller = :seller and p.product_id = sent.product_id and p.replaced_by = (select :number::bigint)
      ), :number::bigint
    from ${SENT}
    on conflict (seller, product_id, replaced_by) do nothing`,
)

/** Returns the readers who may see any of these products after an update. */
async function readersOf(db: Tx | Publishing['sql'], seller: string, products: readonly Pick<Row, 'product_id'>[]): Promise<string[]> {
  const ids = products.map(({ product_id }) => product_id)
  const { rows } = await runOn<{ reader: string }>(db, READERS.bind({ seller, product_ids: ids }))
  return rows.map(({ reader }) => reader)
}

/** Reads who may see any of these products, versions in progress included. */
const READERS = statement(
  'read-product-readers',
  ['seller', 'product_ids'],
  'select distinct reader from products where seller = :seller and product_id = any(:product_ids::text[])',
)

/** Sets the version of a seller's catalog. */
const VERSION = statement(
  'set-taxonomy-version',
  ['seller', 'taxonomy_version'],
  'update sellers set taxonomy_version = :taxonomy_version where seller = :seller',
)
