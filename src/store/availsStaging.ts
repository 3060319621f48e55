import { sql } from 'kysely'
import type { Avail } from '../contract/avail.ts'
import type { Database, Tx } from './database.ts'
import { clearLaidDown, layDown, type StagingTable } from './layDown.ts'

const STAGING: StagingTable = { table: 'avails_staging', columns: ['product_id', 'grain', 'start', 'state', 'body'] }

/** Lays avails down for `mergeStaged`, outside the transaction of the publish; answers under which id. */
export function stageForMerge(db: Pick<Database, 'pool'>, avails: readonly Avail[]): Promise<string> {
  return layDown(db, STAGING, rowsOf(avails))
}

function* rowsOf(avails: readonly Avail[]) {
  for (const avail of avails) yield [avail.product_id, avail.period.grain, avail.period.start, avail.state, JSON.stringify(avail)]
}

/** Merges what was laid down by (product_id, period), in one statement; what is as it was is not written again. */
export async function mergeStaged(tx: Tx, seller: string, publishId: string): Promise<void> {
  await sql`
    insert into avails (seller, product_id, grain, start, state, body)
    select ${seller}, sent.product_id, sent.grain, sent.start, sent.state, sent.body::json
    from avails_staging sent
    left join avails standing on (standing.seller, standing.product_id, standing.grain, standing.start)
      = (${seller}, sent.product_id, sent.grain, sent.start)
    where sent.publish_id = ${publishId}::uuid and standing.body::text is distinct from sent.body
    on conflict (seller, product_id, grain, start) do update
      set state = excluded.state, body = excluded.body, updated_at = now()`.execute(tx)
}

/** Clears what was laid down, merged or not. */
export function clearStaged(db: Pick<Database, 'pool'>, publishId: string): Promise<void> {
  return clearLaidDown(db, STAGING, publishId)
}
