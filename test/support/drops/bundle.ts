import type pg from 'pg'
import { readDrop } from '../../../src/store/drops/drops.ts'
import { scale } from '../../attack/support/scale.ts'
import { aCard, aCatalog, aProduct, aRate } from '../orders/published.ts'
import type { FileToDrop } from './drops.ts'

/** A drop of all four types, with a bad row in each but the posts, that takes long enough to be stopped in the middle. */

const products = ['a', 'b', 'c', 'd'].map((id) => aProduct(id))
export const AVAILS_HEADER = 'product_id,period.grain,period.start,state,spots.available'
const dates = Array.from({ length: scale(6_500, 9_000) }, (_, day) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10))
export const AIRINGS: readonly string[] = products.flatMap(({ product_id }) =>
  dates.map((date, index) => `${product_id},day,${date},available,${index % 50}`),
)
const posted = { record_type: 'post', seller_order_id: 'S-1', network: 'CBL', air_date: '2026-12-07', unit_id: 'u' }

export const BUNDLE: readonly FileToDrop[] = [
  { filename: 'catalog.json', type: 'catalog', text: JSON.stringify(aCatalog(...products, aProduct('bad', { mirror_product_id: 'no' }))) },
  { filename: 'rates.json', type: 'rate_cards', text: JSON.stringify(aCard('card', [aRate('a'), aRate('b'), aRate('bad')])) },
  { filename: 'avails.csv', type: 'avails', text: [AVAILS_HEADER, ...AIRINGS, 'bad,day,2026-01-01,available,1'].join('\n') },
  {
    filename: 'posts.jsonl',
    type: 'delivery_posts',
    text: JSON.stringify({ ...posted, audience_code: 'A25-54', stream: 'C3', impressions: 5, final: true }),
  },
]

/** Returns everything that a drop has written, without ids and times. */
export async function writtenBy(pool: pg.Pool, seller: string, drop_id: string) {
  const all = async (sql: string) => (await pool.query(sql, [seller])).rows
  const drop = await readDrop({ pool }, seller, drop_id)
  const { drop_id: _, registered_at: __, ended_at: ___, ...result } = JSON.parse(drop?.result ?? 'null')
  return {
    result,
    products: await all('select product_id, body from products where seller = $1 order by 1'),
    prices: await all('select commit, product_id, week, gross_rate_unit from rate_entries where seller = $1 order by 1, 2, 3'),
    // As texts, which are soon compared.
    avails: (
      await all(
        `select concat_ws(' ', product_id, grain, start, state, body) as avail from avails where seller = $1 order by product_id, grain, start`,
      )
    ).map(({ avail }) => avail),
    posts: await all('select file, row, unit_id, audience_code, stream, impressions, final from post_rows where seller = $1 order by 1, 2'),
    notices: (
      await all(
        `select distinct body::jsonb->>'event_type' as type, body::jsonb->'data' as data, tenant from notices where body::jsonb->>'seller' = $1`,
      )
    )
      .filter(({ tenant }) => tenant !== seller)
      .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
  }
}
