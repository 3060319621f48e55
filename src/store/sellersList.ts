import type { Product } from '../contract/product.ts'
import type { SellerProfile } from '../contract/seller.ts'
import type { Grain } from '../contract/vocabulary.ts'
import type { Database } from './database.ts'

/** A seller with as much of its catalog as the list shows something of. */
export interface ListedSeller {
  readonly seller: string
  readonly name: string
  readonly profile: SellerProfile
  readonly uses_api: boolean
  readonly products: readonly (Pick<Product, 'product_id' | 'visibility'> & { readonly grains: readonly Grain[] })[]
}

// Open products are folded to one row per set of grains: only those by agreement are looked at one by one.
const LIST = {
  name: 'list-sellers',
  text: `select s.seller, t.name, s.profile, s.uses_api, coalesce(p.products, '[]') as products
    from (select * from sellers where $1::text is null or seller > $1 order by seller limit $2) s
    join tenants t on t.entity = s.seller
    left join lateral (
      select json_agg(json_build_object('product_id', product_id, 'visibility', visibility, 'grains', grains::json)) as products
      from (
        select body->>'visibility' as visibility, body->>'grains' as grains, min(product_id) as product_id
        from products where seller = s.seller and (minted_for is null or minted_for = $3)
        group by 1, 2, case when body->>'visibility' = 'open' then null else product_id end
      ) as folded
    ) p on true
    order by s.seller`,
}

/** Sellers by id, after one of them or from the first, with the products that are not made for another than this buyer. */
export async function listSellers({ pool }: Database, buyer: string, after: string | undefined, limit: number): Promise<ListedSeller[]> {
  const { rows } = await pool.query<ListedSeller>(LIST, [after ?? null, limit, buyer])
  return rows
}
