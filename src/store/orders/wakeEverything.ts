import type { Database } from '../connection/database.ts'
import { lockedTransaction, lockOn } from '../connection/lockedTransaction.ts'

/** What is open of a kind of run. */
interface OpenWork {
  readonly kind: string
  /** SQL: selects the subjects as `target`. */
  readonly open: string
}

/**
 * Adds an outbox row for everything of these kinds that is open, if the runs of this database belong to another namespace than this: one
 * that was deleted, or lost with the data of its Temporal. Remembers the namespace in the same commit, so that of several workers one does
 * it, once. Returns the number of rows, or undefined if the runs belong to this namespace.
 */
export async function wakeEverything(
  { pool }: Pick<Database, 'pool'>,
  namespaceId: string,
  kinds: readonly OpenWork[],
): Promise<number | undefined> {
  return lockedTransaction(pool, lockOn('namespace-of-runs'), async (client) => {
    if ((await client.query(REMEMBER, [namespaceId])).rowCount !== 1) return undefined
    let woken = 0
    for (const { kind, open } of kinds) woken += (await client.query(wakeOf(open), [kind, REST_MS])).rowCount ?? 0
    return woken
  })
}

/** The first caller writes the id; others find it there and change nothing. */
const REMEMBER = `insert into engine_reports (only_one, claimed_at, namespace_id) values (true, '-infinity', $1)
  on conflict (only_one) do update set namespace_id = $1 where engine_reports.namespace_id is distinct from $1`

/** The rows of a kind become claimable a hundred a second, as fast as they are carried, so that new orders need not wait for all of them. */
const REST_MS = 10

/** Gives each subject a row, unless one is there. */
const wakeOf = (open: string) => `insert into outbox (kind, target, claimable_at)
  select $1::text, target, now() + $2::int * interval '1 ms' * row_number() over () from (${open}) as work
    where target not in (select target from outbox where kind = $1::text)`
