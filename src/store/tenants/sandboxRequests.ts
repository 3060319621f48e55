import type { SandboxOutcome, SandboxRequest } from '../../domain/sandboxRequest.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/** What tenants of a sandbox have asked its parties to do, and what became of it. */

type Pool = Pick<Database, 'pool'>

/** How long a request is kept once it is made. */
const KEPT = `interval '7 days'`
/** SQL: it is still to be carried out. An order that nobody waits for any more is not placed. */
const IS_OPEN = `outcome is null and (kind = 'agreements' or made_at > now() - interval '1 hour')`

/** Saves a request and starts its run, in one commit. A request that was carried out before is carried out again. */
export async function saveSandboxRequest({ pool }: Pool, { request_id, kind, tenant, body }: SandboxRequest): Promise<void> {
  await pool.query(SAVE.bind({ request_id, kind, tenant, body: JSON.stringify(body) }))
}

/** Returns nothing. */
const SAVE = statement(
  'save-sandbox-request',
  ['request_id', 'kind', 'tenant', 'body'],
  `with saved as (
      insert into sandbox_requests (request_id, kind, tenant, body) values (:request_id, :kind, :tenant, :body::json)
        on conflict (request_id) do update set outcome = null, made_at = now() returning request_id
    )
    insert into outbox (kind, target) select 'sandbox_request', request_id from saved`,
)

/** Returns a request of a tenant with what became of it; undefined if the tenant has made no such request. */
export async function readSandboxRequest({ pool }: Pool, request_id: string): Promise<StoredRequest | undefined> {
  const { rows } = await pool.query<StoredRequest>(READ.bind({ request_id }))
  return rows[0]
}

export type StoredRequest = SandboxRequest & { readonly outcome: SandboxOutcome | null }

/** Returns one row, or none. */
const READ = statement(
  'read-sandbox-request',
  ['request_id'],
  'select request_id, kind, tenant, body, outcome from sandbox_requests where request_id = :request_id',
)

export async function saveSandboxOutcome({ pool }: Pool, request_id: string, outcome: SandboxOutcome): Promise<void> {
  await pool.query(END.bind({ request_id, outcome: JSON.stringify(outcome) }))
}

const END = statement(
  'end-sandbox-request',
  ['request_id', 'outcome'],
  'update sandbox_requests set outcome = :outcome::json where request_id = :request_id',
)

/** SQL: selects the requests whose run has work left. */
export const OPEN_SANDBOX_REQUESTS = `select request_id as target from sandbox_requests where ${IS_OPEN}`

/** Wakes the runs of requests that should have been carried out a minute ago, since those runs are lost. Returns their number. */
export async function sweepSandboxRequests({ pool }: Pool): Promise<number> {
  return (await pool.query(SWEEP)).rowCount ?? 0
}

/** Wakes up to 1,000 runs. Returns nothing; the row count is their number. */
const SWEEP = {
  name: 'sweep-sandbox-requests',
  text: `insert into outbox (kind, target) select 'sandbox_request', request_id from sandbox_requests
    where ${IS_OPEN} and made_at < now() - interval '1 minute'
      and request_id not in (select target from outbox where kind = 'sandbox_request') limit 1000`,
}

/** Deletes up to `limit` requests that are a week old. Returns their number. */
export async function deleteOldSandboxRequests({ pool }: Pool, limit: number): Promise<number> {
  return (await pool.query(DELETE_OLD.bind({ limit }))).rowCount ?? 0
}

const DELETE_OLD = statement(
  'delete-old-sandbox-requests',
  ['limit'],
  `delete from sandbox_requests where request_id in (select request_id from sandbox_requests where made_at < now() - ${KEPT} limit :limit)`,
)
