import { sql } from 'kysely'
import { GRAINS, VISIBILITIES } from '../../contract/vocabulary.ts'
import type { Tx } from '../connection/database.ts'

/**
 * Brings what a seller is known to offer to some readers up to date after an update of its catalog, in the transaction that publishes it. Each class
 * of products (who may see them, by which grain they are sold) is one probe of an index, so the cost does not grow with the catalog.
 */
export async function keepOffers(tx: Tx, seller: string, readers: readonly string[]): Promise<void> {
  await sql`delete from seller_offers where seller = ${seller} and reader = any(${readers}::text[])`.execute(tx)
  await sql`
    insert into seller_offers (seller, reader, visibility, grain, sold_until)
    select s.seller, r.reader, v.visibility, longest.grain, longest.sold_until
    from (select ${seller}::text as seller) s cross join unnest(${readers}::text[]) as r(reader) cross join unnest(${VISIBILITIES}::text[]) as v(visibility)
      cross join lateral (${sql.raw(GRAINS.map(LONGEST).join(' union all '))}) as longest`.execute(tx)
}

/** The product of a class that is sold longest, by one grain; the pattern is that of the grain's index. */
const LONGEST = (grain: string) => `(select '${grain}' as grain, sold_until from products p
  where p.seller = s.seller and p.reader = r.reader and p.visibility = v.visibility and p.replaced_by = 0 and p.body->>'grains' like '%"${grain}"%'
  order by sold_until desc limit 1)`

/** Adds new products to what a seller is known to offer. An update of the catalog may be under way: what it has not published yet is left alone. */
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
