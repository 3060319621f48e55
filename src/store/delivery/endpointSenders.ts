import type pg from 'pg'
import { batched } from '../connection/batched.ts'
import type { Database } from '../connection/database.ts'
import { listen } from '../connection/listen.ts'
import { statement, unnested } from '../connection/statement.ts'

/**
 * Ensures one sender per endpoint (architecture, One sender per endpoint): a sender renews its lease, and a killed one loses it. Concurrent
 * requests of a process's senders share one statement.
 */

/** An endpoint and the sender that claims it. */
export interface SenderClaim {
  readonly endpointId: string
  readonly sender: string
}

/** Long enough that a busy process keeps its endpoints; a killed one delays an endpoint this long. Renewed each second. */
const LEASE = `interval '5 s'`

/** Another sender has the endpoint, for so many milliseconds unless it renews its lease. */
export interface HeldByOther {
  readonly elsewhereMs: number
}

/** Takes an endpoint, including one left over from the same sender. If another sender has it, that one checks again before it leaves. */
export const takeEndpoint = batched<SenderClaim, 'taken' | HeldByOther>(async (pool, requests) => {
  const { rows } = await pool.query<{ endpoint_id: string; sender: string; held_ms: number }>(TAKE.bind(columnsOf(requests)))
  const taken = new Map(rows.map((row) => [row.endpoint_id, row]))
  return requests.map(({ endpointId, sender }) => {
    const row = taken.get(endpointId)
    return row?.sender === sender ? 'taken' : { elsewhereMs: row?.held_ms ?? 0 }
  })
})

const columnsOf = (requests: readonly SenderClaim[]) => ({
  endpoint_ids: requests.map(({ endpointId }) => endpointId),
  senders: requests.map(({ sender }) => sender),
})

const IS_ANOTHERS = 's.held_until > now() and s.sender <> excluded.sender'

/** Gives senders the endpoints that no other has, and wakes the senders of the rest. Returns who has each endpoint, and for how long. */
const TAKE = statement(
  'take-endpoints',
  ['endpoint_ids', 'senders'],
  `insert into endpoint_senders as s (endpoint_id, sender, held_until)
      select endpoint_id, sender, now() + ${LEASE} from ${unnested({ endpoint_ids: 'text', senders: 'text' })} as asked (endpoint_id, sender) order by 1
    on conflict (endpoint_id) do update set
      sender = case when ${IS_ANOTHERS} then s.sender else excluded.sender end,
      held_until = case when ${IS_ANOTHERS} then s.held_until else excluded.held_until end,
      woken = ${IS_ANOTHERS}
    returning endpoint_id, sender, ceil(1000 * extract(epoch from held_until - now()))::int as held_ms`,
)

/**
 * Tells the sender of an endpoint, in whatever process, that there may be more to send: it looks again before it leaves. Returns false if
 * there is none. The caller must not be the commit that made the deliveries, since notifying makes commits wait for one another.
 */
export const callSender = batched<string, boolean>(async (pool, endpointIds) => {
  const { rows } = await pool.query<{ endpoint_id: string }>(CALL.bind({ endpoint_ids: [...new Set(endpointIds)] }))
  const called = new Set(rows.map(({ endpoint_id }) => endpoint_id))
  return endpointIds.map((id) => called.has(id))
})

const CHANNEL = 'endpoint_senders'

/** Marks the leases that are held and notifies of each, a row for each. Locks in the order of the other statements. */
const CALL = statement(
  'call-senders',
  ['endpoint_ids'],
  `with held as materialized (
      select endpoint_id from endpoint_senders where endpoint_id = any(:endpoint_ids::text[]) and held_until > now() order by 1 for update
    ), called as (
      update endpoint_senders s set woken = true from held where s.endpoint_id = held.endpoint_id returning s.endpoint_id
    )
    select endpoint_id, pg_notify('${CHANNEL}', endpoint_id) from called`,
)

/** Calls `onCall` with the id of each endpoint whose sender is called, in all processes. A call that is lost costs a sender a second. */
export function listenSenders(databaseUrl: string, onCall: (endpointId: string) => void): { close(): Promise<void> } {
  return listen(databaseUrl, CHANNEL, (endpointId) => {
    if (endpointId !== undefined) onCall(endpointId)
  })
}

/** Renews a sender's leases. Returns the endpoints that it still has; does not retake an endpoint that it has left. */
export async function renewEndpoints(pool: pg.Pool, sender: string, endpointIds: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ endpoint_id: string }>(RENEW.bind({ sender, endpoint_ids: endpointIds }))
  return rows.map(({ endpoint_id }) => endpoint_id)
}

/** Extends leases, but none that was left or that another sender has. Locks in the order of the other statements. Returns the endpoints. */
const RENEW = statement(
  'renew-endpoints',
  ['sender', 'endpoint_ids'],
  `with held as (
      select endpoint_id from endpoint_senders
      where sender = :sender and endpoint_id = any(:endpoint_ids::text[]) and held_until > '-infinity' order by 1 for update
    )
    update endpoint_senders s set held_until = now() + ${LEASE} from held where s.endpoint_id = held.endpoint_id returning s.endpoint_id`,
)

/** The pending deliveries of an endpoint: when the next is due (null if there are none), how many there are, and how often that was tried. */
export interface Waiting {
  at: string | null
  waiting: number
  made: number
}

/** The state of an endpoint when it was left: whether another process has asked its sender to look again, and whether a delivery is due. */
export interface LeftEndpoint extends Waiting {
  woken: boolean
  due: boolean
}

/** Ends a sender's lease of an endpoint. */
export const leaveEndpoint = batched<SenderClaim, LeftEndpoint>(async (pool, requests) => {
  return (await pool.query<LeftEndpoint>(LEAVE.bind(columnsOf(requests)))).rows
})

/** Reads the pending deliveries of the endpoint :id: always one row. */
const waits = (id: string) =>
  `select min(due_at) as at, count(*)::int as waiting, coalesce((array_agg(made order by due_at))[1], 0) as made
    from deliveries d where d.endpoint_id = ${id} and d.status = 'pending'`

/** Ends leases. Returns a row for each, in the order of the requests. */
const LEAVE = statement(
  'leave-endpoints',
  ['endpoint_ids', 'senders'],
  `with asked as (select * from ${unnested({ endpoint_ids: 'text', senders: 'text' })} with ordinality as asked (endpoint_id, sender, place)),
    held as (select s.endpoint_id, s.woken from endpoint_senders s join asked using (endpoint_id, sender) order by 1 for update of s),
    freed as (update endpoint_senders s set held_until = '-infinity', woken = false from held where s.endpoint_id = held.endpoint_id)
    select coalesce(held.woken, false) as woken, coalesce(w.at <= now(), false) as due, w.at, w.waiting, w.made
    from asked left join held using (endpoint_id) cross join lateral (${waits('asked.endpoint_id')}) w order by place`,
)

/** Returns when an endpoint's next delivery is due, and how many are pending. */
export async function nextDue({ pool }: Pick<Database, 'pool'>, endpointId: string): Promise<Waiting> {
  const { rows } = await pool.query<Waiting>(NEXT_DUE.bind({ endpoint_id: endpointId }))
  return rows[0] ?? { at: null, waiting: 0, made: 0 }
}

/** Reads when an endpoint's next delivery is due, and how many are pending: always one row. */
const NEXT_DUE = statement('next-due', ['endpoint_id'], waits(':endpoint_id'))

/** Deletes the leases of endpoints that no longer exist. Returns their number. */
export async function deleteOldSenders({ pool }: Pick<Database, 'pool'>, limit: number): Promise<number> {
  return (await pool.query(FORGET.bind({ limit }))).rowCount ?? 0
}

/** Deletes leases that nobody holds, of endpoints that are deleted or unknown; the row count is their number. */
const FORGET = statement(
  'forget-senders',
  ['limit'],
  `delete from endpoint_senders where endpoint_id = any(array(
      select endpoint_id from endpoint_senders s
      where held_until < now() and not exists (select from webhook_endpoints w where w.endpoint_id = s.endpoint_id and w.status <> 'deleted')
      order by 1 limit :limit for update skip locked
    ))`,
)
