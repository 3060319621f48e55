import { sql } from 'kysely'
import { GRAINS, VISIBILITIES } from '../../contract/vocabulary.ts'
import type { Tx } from '../connection/database.ts'

/**
 * Brings what a seller is known to offer up to date after a change of some of its products, in the transaction of that change. Each class of
 * products (who may see them, by which grain they are sold) is one probe of an index, so the cost does not grow with the catalog.
 */
export async function keepOffers(tx: Tx, seller: string, productIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ reader: string }>`
    select distinct reader from products where seller = ${seller} and product_id = any(${productIds}::text[])`.execute(tx)
  const readers = rows.map(({ reader }) => reader)
  await sql`delete from seller_offers where seller = ${seller} and reader = any(${readers}::text[])`.execute(tx)
  await sql`
    insert into seller_offers (seller, reader, visibility, grain, sold_until)
    select s.seller, r.reader, v.visibility, longest.grain, longest.sold_until
    from (select ${seller}::text as seller) s cross join unnest(${readers}::text[]) as r(reader) cross join unnest(${VISIBILITIES}::text[]) as v(visibility)
      cross join lateral (${sql.raw(GRAINS.map(LONGEST).join(' union all '))}) as longest`.execute(tx)
}

/** The product of a class that is sold longest, by one grain; the pattern is that of the grain's index. */
const LONGEST = (grain: string) => `(select '${grain}' as grain, sold_until from products p
  where p.seller = s.seller and p.reader = r.reader and p.visibility = v.visibility and p.body->>'grains' like '%"${grain}"%'
  order by sold_until desc limit 1)`
