import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import { sharedPool } from '../connection/tenantScope.ts'
import type { DropKey } from './drops.ts'

type Pool = Pick<Database, 'pool'>

export const DROPS_CHANNEL = 'drops'

/** Notifies workers that a manifest.json has landed, so that they check at once. A lost notification costs seconds until the next check. */
export async function notifyLanding({ pool }: Pool, seller: string, dropId: string): Promise<void> {
  // A notification reads no rows and needs no scope.
  await sharedPool(pool).query({ name: 'notify-landing', text: 'select pg_notify($1, $2)', values: [DROPS_CHANNEL, `${seller}/${dropId}`] })
}

/** Records that the result of a run has landed, and with it the results of earlier runs. */
export async function markLanded({ pool }: { pool: Pick<Database['pool'], 'query'> }, { seller, drop_id, run_no }: DropKey): Promise<void> {
  await pool.query(LANDED.bind({ seller, drop_id, run_no }))
}

/** Returns up to `limit` drops with a result that has not landed. */
export async function unlandedResults({ pool }: Pool, limit: number): Promise<Pick<DropKey, 'seller' | 'drop_id'>[]> {
  return (await pool.query<Pick<DropKey, 'seller' | 'drop_id'>>(UNLANDED.bind({ limit }))).rows
}

/** Marks the runs of a drop, up to this one, as landed. */
const LANDED = statement(
  'mark-drop-landed',
  ['seller', 'drop_id', 'run_no'],
  `update drops set result_landed_at = now()
    where seller = :seller and drop_id = :drop_id and run_no <= :run_no and ended_at is not null and result_landed_at is null`,
)

/** Unordered, so that one that cannot land does not delay others. The run that ended a drop lands most results; this finds the rest. */
const UNLANDED = statement(
  'unlanded-drop-results',
  ['limit'],
  `select distinct seller, drop_id from (
      select seller, drop_id from drops
      where ended_at < now() - interval '2 seconds' and result_landed_at is null order by random() limit :limit
    ) some_of_them`,
)
