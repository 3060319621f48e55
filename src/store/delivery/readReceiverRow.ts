import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import type { PreviousSecret } from './endpointSecrets.ts'

/** The stored row of an active endpoint; `expired`: its credential is no longer valid. */
export interface ReceiverRow {
  tenant: string
  url: string
  secret: Buffer
  previous_secrets: PreviousSecret[]
  failing_since: string | null
  expired: boolean
}

/** Undefined when the endpoint is not active. */
export async function readReceiverRow({ pool }: Pick<Database, 'pool'>, endpoint_id: string): Promise<ReceiverRow | undefined> {
  const { rows } = await pool.query<ReceiverRow>(RECEIVER.bind({ endpoint_id }))
  return rows[0]
}

/** Where and with which secrets an active endpoint is posted to. */
const RECEIVER = statement(
  'read-receiver',
  ['endpoint_id'],
  `select tenant, url, secret, previous_secrets, failing_since, coalesce(authorized_until <= now(), false) as expired
    from webhook_endpoints where endpoint_id = :endpoint_id and status = 'active'`,
)
