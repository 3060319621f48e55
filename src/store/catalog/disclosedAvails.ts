import type { Answer } from '../../domain/discovery/answerRequests.ts'
import { batches } from '../connection/batches.ts'
import { arraysOf, namesOf, valuesOf } from '../connection/columns.ts'
import type { Tx } from '../connection/database.ts'
import type { Reading } from '../connection/snapshot.ts'
import { statement } from '../connection/statement.ts'
import { runOn } from '../connection/txOn.ts'

/** Discloses each answer to its asker. */
export async function disclose(tx: Tx, seller: string, answers: readonly Answer[]): Promise<void> {
  for (const some of batches(rowsOf(answers), BATCH)) await runOn(tx, DISCLOSE.bind({ seller, ...valuesOf(COLUMNS, some) }))
}

/** Periods per statement. */
const BATCH = 5_000
const COLUMNS = { buyer_entity: 'text', product_id: 'text', grain: 'text', start: 'text' } as const

function* rowsOf(answers: readonly Answer[]): Generator<Record<keyof typeof COLUMNS, string>> {
  for (const { request, periods } of answers) {
    const { buyer_entity, product_id } = request
    for (const { grain, start } of periods) yield { buyer_entity, product_id, grain, start }
  }
}

/** Records periods as disclosed to buyers; periods that are already recorded do not change. */
const DISCLOSE = statement(
  'disclose-avails',
  ['seller', ...namesOf(COLUMNS)],
  `insert into avails_disclosed (seller, ${namesOf(COLUMNS).join(', ')})
    select :seller, d.* from unnest(${arraysOf(COLUMNS)}) as d
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
