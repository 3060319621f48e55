import { sql } from 'kysely'
import type { Product } from '../../contract/product.ts'
import type { Tx } from '../connection/database.ts'
import type { Publishing } from './publishLock.ts'
import { keepOffers } from './sellerOffers.ts'
import { beginUnpublished, clearUnpublished, deleteReplaced, leaveUnpublished } from './unpublished.ts'

/** Products that merge into a catalog by product_id, under one taxonomy version. */
export interface CatalogUpdate {
  readonly taxonomyVersion: string
  readonly products: readonly Product[]
}

/** Products per transaction: few enough to stay short on a busy machine, where each product takes up to a quarter of a millisecond. */
const AT_ONCE = 1_000

/**
 * Writes an update of a catalog. `publish` calls `show` in a transaction of its choice, which makes everything visible. Writes a large
 * update beforehand, invisible, in short transactions; a failure leaves nothing of it.
 */
export async function saveCatalog<T>(
  publishing: Publishing,
  { taxonomyVersion, products }: CatalogUpdate,
  publish: (show: (tx: Tx) => Promise<void>) => Promise<T>,
): Promise<T> {
  const { seller } = publishing
  if (products.length === 0) return publish(async () => undefined)
  const show = async (tx: Tx, readers: readonly string[]) => {
    await keepOffers(tx, seller, readers)
    await sql`update sellers set taxonomy_version = ${taxonomyVersion} where seller = ${seller}`.execute(tx)
  }
  if (products.length <= AT_ONCE) {
    return publish(async (tx) => {
      await mergeProducts(tx, seller, products)
      await show(tx, await readersOf(tx, seller, products))
    })
  }
  const number = await beginUnpublished(publishing)
  try {
    // References may move between products in one update, so all are released before any is assigned.
    for (const some of batches(products)) await publishing.commit((tx) => replaceProducts(tx, seller, number, some))
    for (const some of batches(products)) await publishing.commit((tx) => addProducts(tx, seller, number, some))
    const readers = new Set<string>()
    for (const some of batches(products)) for (const reader of await readersOf(publishing.sql, seller, some)) readers.add(reader)
    const published = await publish(async (tx) => {
      await show(tx, [...readers])
      await leaveUnpublished(tx, seller, number)
    })
    // If this fails, the seller's next publish does it.
    await deleteReplaced(publishing).catch(() => undefined)
    return published
  } catch (error) {
    // If this fails, the seller's next publish does it too.
    await clearUnpublished(publishing, number).catch(() => undefined)
    throw error
  }
}

/** Writes products that are new or have changed. */
async function mergeProducts(tx: Tx, seller: string, products: readonly Product[]): Promise<void> {
  await sql`
    update products p set external_ref = null from ${sent(products)}
    where p.seller = ${seller} and p.product_id = sent.product_id and p.replaced_by = 0
      and p.external_ref is not null and p.external_ref is distinct from sent.external_ref`.execute(tx)
  await sql`
    insert into products (seller, product_id, external_ref, body)
    select ${seller}, sent.product_id, sent.external_ref, sent.body::json from ${sent(products)}
    on conflict (seller, product_id, replaced_by) do update
      set external_ref = excluded.external_ref, body = excluded.body, updated_at = now()
      where (products.external_ref, products.body::text) is distinct from (excluded.external_ref, excluded.body::text)`.execute(tx)
}

/**
 * Marks the products that change. They stay in force until the update is published. Each has its own sub-select: a join may read the whole
 * catalog for each product that is sent, since the planner has no statistics of a catalog that was just written.
 */
async function replaceProducts(tx: Tx, seller: string, number: string, products: readonly Product[]): Promise<void> {
  await sql`
    update products set replaced_by = ${number}::bigint where ctid = any(array(
      select (
        select p.ctid from products p
        where p.seller = ${seller} and p.product_id = sent.product_id and p.replaced_by = 0
          and (p.external_ref, p.body::text) is distinct from (sent.external_ref, sent.body)
      ) from ${sent(products)}))`.execute(tx)
}

/**
 * Adds products that are new, or whose earlier rows are marked. A sub-select gives the number: if the planner knows that it is not 0, it
 * takes the index of all marked rows, which its statistics say is empty, and reads it whole for each product.
 */
async function addProducts(tx: Tx, seller: string, number: string, products: readonly Product[]): Promise<void> {
  await sql`
    insert into products (seller, product_id, external_ref, body, minted_for, added_by)
    select ${seller}, sent.product_id, sent.external_ref, sent.body::json, (
        select minted_for from products p where p.seller = ${seller} and p.product_id = sent.product_id and p.replaced_by = (select ${number}::bigint)
      ), ${number}::bigint
    from ${sent(products)}
    on conflict (seller, product_id, replaced_by) do nothing`.execute(tx)
}

function sent(products: readonly Product[]) {
  const refs = products.map(({ external_ref }) => external_ref ?? null)
  const bodies = products.map((product) => JSON.stringify(product))
  return sql`unnest(${idsOf(products)}::text[], ${refs}::text[], ${bodies}::text[]) as sent(product_id, external_ref, body)`
}

/** Returns the readers who may see any of these products after an update. */
async function readersOf(db: Tx | Publishing['sql'], seller: string, products: readonly Product[]): Promise<string[]> {
  const { rows } = await sql<{ reader: string }>`
    select distinct reader from products where seller = ${seller} and product_id = any(${idsOf(products)}::text[])`.execute(db)
  return rows.map(({ reader }) => reader)
}

function idsOf(products: readonly Product[]): string[] {
  return products.map(({ product_id }) => product_id)
}

function* batches<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += AT_ONCE) yield items.slice(from, from + AT_ONCE)
}
