import type { DeliveryStatus, DropReason } from '../../contract/vocabulary.ts'
import type { DeliveryAttempt } from '../../contract/webhook.ts'
import { DELIVERIES_DROPPED } from '../../metrics/work.ts'
import { jsonLines, plainArray } from '../connection/arrayText.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import type { DueDelivery } from './deliveries.ts'

/** The outcome of a delivery: one more attempt (or none, if it was too late for another), and the new status. */
export interface Written {
  due: DueDelivery
  attempt: DeliveryAttempt | undefined
  status: DeliveryStatus
  /** The reason, if the delivery was dropped. */
  reason?: DropReason | undefined
  /** Milliseconds since 1970. */
  dueAt: number
}

/**
 * Records attempts of many endpoints in one statement. Does not change an attempt already recorded by a sender that was presumed dead.
 * Still records the outcome of a delivery that was dropped while in flight.
 */
export async function writeAttempts(
  { pool }: Pick<Database, 'pool'>,
  written: readonly (Written & { endpointId: string })[],
): Promise<void> {
  await pool.query(
    WRITE.bind({
      endpoint_ids: plainArray(written.map(({ endpointId }) => endpointId)),
      delivery_nos: plainArray(written.map(({ due }) => due.delivery_no)),
      made_before: plainArray(written.map(({ due }) => due.made)),
      made: plainArray(written.map(({ due, attempt }) => due.made + (attempt === undefined ? 0 : 1))),
      attempts: jsonLines(written.map(({ due, attempt }) => withAttempt(due.attempts, attempt))),
      statuses: plainArray(written.map(({ status }) => status)),
      due_ats: plainArray(written.map(({ dueAt }) => dueAt)),
      first_ats: plainArray(
        written.map(({ due, attempt }) => (due.firstAt === undefined ? (attempt?.at ?? 'NULL') : new Date(due.firstAt).toISOString())),
      ),
      reasons: plainArray(written.map(({ reason }) => reason ?? 'NULL')),
    }),
  )
  for (const { status, reason } of written) if (status === 'dropped' && reason !== undefined) DELIVERIES_DROPPED.inc({ reason })
}

function withAttempt(attempts: string, attempt: DeliveryAttempt | undefined): string {
  if (attempt === undefined) return attempts
  return `${attempts.slice(0, -1)}${attempts === '[]' ? '' : ','}${JSON.stringify(attempt)}]`
}

/**
 * Writes attempts that no other sender has written. Returns nothing. This is the only write that a machine failure may lose: the delivery
 * is then posted again, which may happen in any case. `attempts` has a line per delivery, `due_ats` are milliseconds since 1970.
 */
const WRITE = statement(
  'write-attempts',
  ['endpoint_ids', 'delivery_nos', 'made_before', 'made', 'attempts', 'statuses', 'due_ats', 'first_ats', 'reasons'],
  `with relaxed as materialized (select set_config('synchronous_commit', 'off', true))
    update deliveries d set made = r.made, attempts = r.attempts, due_at = to_timestamp(r.due_at / 1000::float8), first_at = r.first_at,
      status = case when d.status = 'dropped' and r.status = 'pending' then 'dropped' else r.status end,
      dropped_reason = case r.status when 'pending' then d.dropped_reason when 'dropped' then r.reason end
    from relaxed, unnest(:endpoint_ids::text[], :delivery_nos::bigint[], :made_before::int[], :made::int[], string_to_array(:attempts, chr(10)), :statuses::text[], :due_ats::bigint[], :first_ats::timestamptz[], :reasons::text[])
      as r (endpoint_id, delivery_no, before, made, attempts, status, due_at, first_at, reason)
    where d.endpoint_id = r.endpoint_id and d.delivery_no = r.delivery_no and d.status <> 'delivered' and d.made = r.before`,
)
