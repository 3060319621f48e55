import type { SellerProfile } from '../../contract/seller.ts'
import type { Grain } from '../../contract/vocabulary.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import { IS_STILL_THERE } from '../tenants/freshTenants.ts'
import { isInForce } from './unpublished.ts'

/** A seller as one buyer sees it on the list. */
export interface ListedSeller {
  readonly seller: string
  readonly name: string
  readonly profile: SellerProfile
  readonly uses_api: boolean
  readonly has_products: boolean
  /** The grains by which its products that the buyer may see are sold. */
  readonly grains: readonly Grain[]
}

/** SQL: true if an agreement `a` is in force between the buyer and the seller. */
const IN_FORCE = `a.buyer_entity = :buyer and a.status = 'active' and a.effective @> :today::date`

/** The most products named by one pair's agreements that are checked for their grains: as many as one agreement may name. */
const NAMED = 10_000

/**
 * Reads a page of sellers by id, with what one buyer may buy of each. Reads no products except those that an agreement names: a seller's
 * other offers are a few rows, updated at each publish.
 */
const LIST = statement(
  'list-sellers',
  ['after', 'limit', 'buyer', 'today'],
  `select s.seller, t.name, s.profile, s.uses_api,
      exists (select from seller_offers o where o.seller = s.seller and o.reader in ('', :buyer)) as has_products,
      array(
        select o.grain from seller_offers o
        where o.seller = s.seller and o.reader in ('', :buyer) and o.sold_until >= :today and (o.visibility = 'open' or exists (
          select from agreements a where a.seller = s.seller and ${IN_FORCE} and json_typeof(a.body->'catalog_scope') = 'string'))
        union
        select json_array_elements_text(p.body->'grains')
        from (
          select named.product_id from agreements a cross join lateral json_array_elements_text(
            case when json_typeof(a.body->'catalog_scope') = 'array' then a.body->'catalog_scope' else '[]' end) as named(product_id)
          where a.seller = s.seller and ${IN_FORCE} limit ${NAMED}
        ) named join products p on p.seller = s.seller and p.product_id = named.product_id and ${isInForce('p', 's.seller')}
        where p.reader in ('', :buyer) and p.sold_until >= :today
      ) as grains
    from (select * from sellers where (:after::text is null or seller > :after) and ${IS_STILL_THERE('seller')} order by seller limit :limit) s
    join tenants t on t.entity = s.seller
    order by s.seller`,
)

/** Returns sellers by id as this buyer sees them, after one of them or from the first. */
export async function listSellers({ pool }: Database, buyer: string, after: string | undefined, limit: number): Promise<ListedSeller[]> {
  const { rows } = await pool.query<ListedSeller>(
    LIST.bind({ after: after ?? null, limit, buyer, today: new Date().toISOString().slice(0, 10) }),
  )
  return rows
}
