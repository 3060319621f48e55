import { batched } from '../connection/batched.ts'
import { statement } from '../connection/statement.ts'
import type { PreviousSecret } from './deliveryTables.ts'

/** The stored row of an active endpoint; `expired` means that its credential is no longer valid. */
export interface ReceiverRow {
  tenant: string
  url: string
  secret: Buffer
  previous_secrets: PreviousSecret[]
  failing_since: string | null
  expired: boolean
}

/** Returns undefined if the endpoint is not active. Concurrent requests of a process's senders share one statement. */
export const readReceiverRow = batched<string, ReceiverRow | undefined>(async (pool, endpoint_ids) => {
  const { rows } = await pool.query<ReceiverRow & { endpoint_id: string }>(RECEIVERS.bind({ endpoint_ids }))
  const receivers = new Map(rows.map((row) => [row.endpoint_id, row]))
  return endpoint_ids.map((id) => receivers.get(id))
})

/** Reads the URLs and secrets of active endpoints. */
const RECEIVERS = statement(
  'read-receivers',
  ['endpoint_ids'],
  `select endpoint_id, tenant, url, secret, previous_secrets, failing_since, coalesce(authorized_until <= now(), false) as expired
    from webhook_endpoints where endpoint_id = any(:endpoint_ids::text[]) and status = 'active'`,
)
