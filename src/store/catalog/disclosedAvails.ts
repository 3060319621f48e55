import type { Answer } from '../../domain/discovery/answerRequests.ts'
import type { Tx } from '../connection/database.ts'
import type { Reading } from '../connection/snapshot.ts'
import { statement } from '../connection/statement.ts'
import { runOn } from '../connection/txOn.ts'

/** Discloses each answer to its asker. */
export async function disclose(tx: Tx, seller: string, answers: readonly Answer[]): Promise<void> {
  const disclosed = answers.flatMap(({ request, periods }) => periods.map((period) => ({ ...request, period })))
  await runOn(
    tx,
    DISCLOSE.bind({
      seller,
      buyers: disclosed.map(({ buyer_entity }) => buyer_entity),
      product_ids: disclosed.map(({ product_id }) => product_id),
      grains: disclosed.map(({ period }) => period.grain),
      starts: disclosed.map(({ period }) => period.start),
    }),
  )
}

/** Records periods as disclosed to buyers; periods that are already recorded do not change. */
const DISCLOSE = statement(
  'disclose-avails',
  ['seller', 'buyers', 'product_ids', 'grains', 'starts'],
  `insert into avails_disclosed (seller, buyer_entity, product_id, grain, start)
    select :seller, d.* from unnest(:buyers::text[], :product_ids::text[], :grains::text[], :starts::text[]) as d
    on conflict do nothing`,
)

/** Returns the periods of some products' avails that answers disclosed to one buyer. */
export async function readDisclosed(
  { pool }: Pick<Reading, 'pool'>,
  seller: string,
  buyer: string,
  productIds: readonly string[],
): Promise<{ product_id: string; grain: string; start: string }[]> {
  return (await pool.query(DISCLOSED.bind({ seller, buyer, product_ids: productIds }))).rows
}

/** Reads the periods that answers disclosed to one buyer. */
const DISCLOSED = statement(
  'read-disclosed-avails',
  ['seller', 'buyer', 'product_ids'],
  `select product_id, grain, start from avails_disclosed where seller = :seller and buyer_entity = :buyer and product_id = any(:product_ids::text[])`,
)
