import { type RawBuilder, sql } from 'kysely'
import type { Product } from '../contract/product.ts'
import type { Tx } from './database.ts'
import type { Publishing } from './publishLock.ts'
import { keepOffers } from './sellerOffers.ts'

/**
 * Merges products into the catalog by product_id, under one taxonomy version, and does `last` with it: all of it is seen at once or not at all. The
 * feed waits for that transaction, so many products are sent to the database before it begins, and it only merges them.
 */
export async function saveProducts(
  { seller, sql: connection, commit }: Pick<Publishing, 'seller' | 'sql' | 'commit'>,
  taxonomyVersion: string,
  products: readonly Product[],
  last: (tx: Tx) => Promise<void>,
): Promise<void> {
  const ids = products.map(({ product_id }) => product_id)
  const merge = (sent: RawBuilder<unknown>) =>
    commit(async (tx) => {
      // Before the products: a plan that mints one waits here, and not for a product while this waits for the plan.
      await tx.updateTable('sellers').set({ taxonomy_version: taxonomyVersion }).where('seller', '=', seller).execute()
      await mergeProducts(tx, seller, sent)
      await keepOffers(tx, seller, ids)
      await last(tx)
    })
  if (products.length <= AT_ONCE) return merge(rowsOf(products))
  await sql`create temporary table sent_products (product_id text, external_ref text, body json)`.execute(connection)
  try {
    for (let from = 0; from < products.length; from += AT_ONCE) {
      await sql`insert into sent_products select * from ${rowsOf(products.slice(from, from + AT_ONCE))}`.execute(connection)
    }
    await sql`analyze sent_products`.execute(connection)
    await merge(sql`sent_products sent`)
  } finally {
    await sql`drop table sent_products`.execute(connection)
  }
}

/** Products of one statement: writing their bodies as an array's text takes long away from other requests. */
const AT_ONCE = 1_000

function rowsOf(products: readonly Product[]): RawBuilder<unknown> {
  const ids = products.map(({ product_id }) => product_id)
  const refs = products.map(({ external_ref }) => external_ref ?? null)
  const bodies = products.map((product) => JSON.stringify(product))
  return sql`(select product_id, external_ref, body::json
    from unnest(${ids}::text[], ${refs}::text[], ${bodies}::text[]) as s(product_id, external_ref, body)) sent`
}

async function mergeProducts(tx: Tx, seller: string, sent: RawBuilder<unknown>): Promise<void> {
  // References may move between products in one update: those that go to another product are let go before any is taken.
  await sql`
    with sent as materialized (select * from ${sent})
    update products p set external_ref = null from sent taker, sent own
    where p.seller = ${seller} and p.external_ref = taker.external_ref and p.product_id <> taker.product_id
      and p.product_id = own.product_id`.execute(tx)
  await sql`
    insert into products (seller, product_id, external_ref, body)
    select ${seller}, sent.product_id, sent.external_ref, sent.body from ${sent}
    on conflict (seller, product_id) do update
      set external_ref = excluded.external_ref, body = excluded.body, updated_at = now()
      where (products.external_ref, products.body::text) is distinct from (excluded.external_ref, excluded.body::text)`.execute(tx)
}
