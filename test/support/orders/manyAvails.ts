import type { TestApp } from '../http/app.ts'
import { aCatalog, aProduct } from './published.ts'

export const WEEKS_EACH = 50

/**
 * Publishes products of a seller, each with avails of some 1.2 kB for 50 weeks. Writes these straight into the table, since publishing them
 * is not what is tested.
 */
export async function manyAvails({ deps, request }: TestApp, token: string, seller: string, products: number): Promise<void> {
  const ids = Array.from({ length: products }, (_, index) => `bulk-${String(index).padStart(5, '0')}`)
  await request
    .put('/v1/me/catalog')
    .auth(token, { type: 'bearer' })
    .send(aCatalog(...ids.map((id) => aProduct(id))))
    .expect(200)
  await deps.db.pool.query(
    `with codes as (select json_object_agg('CODE-' || n, json_build_object('per_spot', 41000)) as impressions from generate_series(1, 35) n)
    insert into avails (seller, product_id, grain, start, state, body)
    select $1, id, 'week', week, 'available', json_build_object('product_id', id, 'period', json_build_object('grain', 'week', 'start', week),
      'state', 'available', 'spots', json_build_object('available', 12), 'impressions', impressions)
    from codes, unnest($2::text[]) id, (select '2031-W' || lpad(n::text, 2, '0') as week from generate_series(1, $3::int) n) weeks`,
    [seller, ids, WEEKS_EACH],
  )
}
