import type { OpsDrop, OpsDropQuery } from '../../contract/ops.ts'
import type { Database } from '../connection/database.ts'
import { type Statement, statement } from '../connection/statement.ts'

/** A drop and its position in the lists. */
export type OpsDropRow = Omit<OpsDrop, 'run_id'> & { registration: string }

/** Returns a page of the drops of every seller: those in progress oldest first, others newest first. Reads a view of migration 0013. */
export async function listOpsDrops(
  { pool }: Pick<Database, 'pool'>,
  { state, after, limit }: Pick<OpsDropQuery, 'state'> & { after: string | undefined; limit: number },
): Promise<OpsDropRow[]> {
  const list = LISTS[state ?? 'all']
  return (await pool.query<OpsDropRow>(list.bind({ after: after ?? (state === 'processing' ? '0' : LAST), limit }))).rows
}

/** The greatest bigint. */
const LAST = '9223372036854775807'

const PARAMETERS = ['after', 'limit'] as const

/** Builds a list sorted by `ops_drops.registration`, which is a number: the bare name would be the column of its text. */
function listOf(name: string, rule: string, order: '>' | '<'): Statement<(typeof PARAMETERS)[number]> {
  return statement(
    name,
    PARAMETERS,
    `select seller, drop_id, run_no, registration::text as registration, registered_at, status, stage, rows_written::int as rows_written,
        rows_rejected::int as rows_rejected, error_count::int as error_count, stuck_reason, ended_at
      from ops_drops where ${rule} and registration ${order} :after::bigint order by ops_drops.registration ${order === '<' ? 'desc' : ''} limit :limit`,
  )
}

/** Read pages of drops, each from its own index. */
const LISTS = {
  all: listOf('ops-drops', 'true', '<'),
  processing: listOf('ops-open-drops', `status = 'processing'`, '>'),
  faulty: listOf('ops-faulty-drops', `status in ('partial', 'rejected')`, '<'),
}
