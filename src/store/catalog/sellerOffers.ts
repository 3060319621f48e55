import { sql } from 'kysely'
import { GRAINS, VISIBILITIES } from '../../contract/vocabulary.ts'
import type { Tx } from '../connection/database.ts'

/**
 * Updates the record of what a seller offers to some readers after an update of its catalog, in the transaction that publishes it. Each
 * class of products (who may see them, by which grain they are sold) is one index probe, so the cost does not grow with the catalog.
 */
export async function keepOffers(tx: Tx, seller: string, readers: readonly string[]): Promise<void> {
  await sql`delete from seller_offers where seller = ${seller} and reader = any(${readers}::text[])`.execute(tx)
  await sql`
    insert into seller_offers (seller, reader, visibility, grain, sold_until)
    select s.seller, r.reader, v.visibility, longest.grain, longest.sold_until
    from (select ${seller}::text as seller) s cross join unnest(${readers}::text[]) as r(reader) cross join unnest(${VISIBILITIES}::text[]) as v(visibility)
      cross join lateral (${sql.raw(GRAINS.map(LONGEST).join(' union all '))}) as longest`.execute(tx)
}

/** Selects the product of a class that is sold longest, by one grain; the pattern matches that of the grain's index. */
const LONGEST = (grain: string) => `(select '${grain}' as grain, sold_until from products p
  where p.seller = s.seller and p.reader = r.reader and p.visibility = v.visibility and p.replaced_by = 0 and p.body->>'grains' like '%"${grain}"%'
  order by sold_until desc limit 1)`

/** Adds new products to the record of what a seller offers. Ignores what a catalog update in progress has not published yet. */
export async function addOffers(tx: Tx, seller: string, productIds: readonly string[]): Promise<void> {
  await sql`
    insert into seller_offers (seller, reader, visibility, grain, sold_until)
    select seller, reader, visibility, sold.grain, max(sold_until)
    from products cross join lateral json_array_elements_text(body->'grains') as sold(grain)
    where seller = ${seller} and product_id = any(${productIds}::text[])
    group by seller, reader, visibility, sold.grain
    on conflict (seller, reader, visibility, grain) do update
      set sold_until = greatest(seller_offers.sold_until, excluded.sold_until)`.execute(tx)
}
