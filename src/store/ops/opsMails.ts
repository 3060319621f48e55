import type { OpsMail, OpsMailQuery } from '../../contract/ops.ts'
import type { Database } from '../connection/database.ts'
import { type Statement, statement } from '../connection/statement.ts'

type Row = Omit<OpsMail, 'run_id'> & { agreement_id: string }

/** Returns a page of the order mails of every tenant: those that wait oldest first, others newest first. Reads the view of migration 0013. */
export async function listOpsMails(
  { pool }: Pick<Database, 'pool'>,
  { state, after, limit }: Pick<OpsMailQuery, 'state'> & { after: string | undefined; limit: number },
): Promise<Row[]> {
  return (await pool.query<Row>(LISTS[state].bind({ after: after ?? (state === 'waiting' ? '' : LAST), limit }))).rows
}

/** Follows every id, in any collation. */
const LAST = 'zzzz'

const PARAMETERS = ['after', 'limit'] as const

/** Ids rise with time. */
function listOf(name: string, rule: string, order: '>' | '<'): Statement<(typeof PARAMETERS)[number]> {
  return statement(
    name,
    PARAMETERS,
    `select message_id, order_id, agreement_id, seller, buyer_entity, document, status, coalesce(status_reason, stuck) as reason, attempts,
        created_at, case when status = 'queued' then due_at end as next_attempt_at
      from ops_edi_messages where ${rule} and message_id ${order} :after order by message_id ${order === '<' ? 'desc' : ''} limit :limit`,
  )
}

/** Read pages of mails, each from its own index. */
const LISTS = {
  waiting: listOf('ops-waiting-mails', `status = 'queued'`, '>'),
  failed: listOf('ops-failed-mails', `status in ('failed', 'bounced')`, '<'),
}
