import type pg from 'pg'
import { batched } from '../connection/batched.ts'
import type { Database } from '../connection/database.ts'
import { statement, unnested } from '../connection/statement.ts'

/**
 * One sender per endpoint (architecture, One sender per endpoint): a lease, which a sender renews and a killed one loses. What many senders of a
 * process ask at the same time is one statement.
 */

/** An endpoint and the sender that would have it. */
export interface SenderClaim {
  readonly endpointId: string
  readonly sender: string
}

/** Long enough that a busy process keeps what it has; a killed one delays an endpoint by so much. Renewed each second. */
const LEASE = `interval '5 s'`

/** Another sender has it, for so many milliseconds unless it renews its lease. */
export interface Elsewhere {
  readonly elsewhereMs: number
}

/** Takes an endpoint, a leftover of the asking sender's own included. If another sender has it, that one looks again before it leaves. */
export const takeEndpoint = batched<SenderClaim, 'taken' | Elsewhere>(async (pool, asks) => {
  const { rows } = await pool.query<{ endpoint_id: string; sender: string; held_ms: number }>(TAKE.bind(columnsOf(asks)))
  const taken = new Map(rows.map((row) => [row.endpoint_id, row]))
  return asks.map(({ endpointId, sender }) => {
    const row = taken.get(endpointId)
    return row?.sender === sender ? 'taken' : { elsewhereMs: row?.held_ms ?? 0 }
  })
})

const columnsOf = (asks: readonly SenderClaim[]) => ({
  endpoint_ids: asks.map(({ endpointId }) => endpointId),
  senders: asks.map(({ sender }) => sender),
})

const IS_ANOTHERS = 's.held_until > now() and s.sender <> excluded.sender'

/** Makes the asking senders those of the endpoints that no other has, and wakes the senders of the others. Returns who has each, and for how long. */
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

/** Renews the leases of a sender. Returns the endpoints that it has; one that it has left is not taken again. */
export async function renewEndpoints(pool: pg.Pool, sender: string, endpointIds: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ endpoint_id: string }>(RENEW.bind({ sender, endpoint_ids: endpointIds }))
  return rows.map(({ endpoint_id }) => endpoint_id)
}

/** Sets leases to end later, but none that was left or that another sender has taken. Locks in the order of the other statements. Returns their endpoints. */
const RENEW = statement(
  'renew-endpoints',
  ['sender', 'endpoint_ids'],
  `with held as (
      select endpoint_id from endpoint_senders
      where sender = :sender and endpoint_id = any(:endpoint_ids::text[]) and held_until > '-infinity' order by 1 for update
    )
    update endpoint_senders s set held_until = now() + ${LEASE} from held where s.endpoint_id = held.endpoint_id returning s.endpoint_id`,
)

/** What waits for an endpoint: when the next of it is due (null when nothing waits), and how many deliveries do. */
export interface Waiting {
  at: string | null
  waiting: number
}

/** An endpoint as it was left: whether another process has asked its sender to look again, and whether a waiting delivery is already due. */
export interface LeftEndpoint extends Waiting {
  woken: boolean
  due: boolean
}

/** Gives an endpoint up. */
export const leaveEndpoint = batched<SenderClaim, LeftEndpoint>(async (pool, asks) => {
  return (await pool.query<LeftEndpoint>(LEAVE.bind(columnsOf(asks)))).rows
})

/** What waits for the endpoint of :id: always one row. */
const waits = (id: string) =>
  `select min(due_at) as at, count(*)::int as waiting from deliveries d where d.endpoint_id = ${id} and d.status = 'pending'`

/** Ends leases. Returns a row for each, in the order in which they were asked. */
const LEAVE = statement(
  'leave-endpoints',
  ['endpoint_ids', 'senders'],
  `with asked as (select * from ${unnested({ endpoint_ids: 'text', senders: 'text' })} with ordinality as asked (endpoint_id, sender, place)),
    held as (select s.endpoint_id, s.woken from endpoint_senders s join asked using (endpoint_id, sender) order by 1 for update of s),
    freed as (update endpoint_senders s set held_until = '-infinity', woken = false from held where s.endpoint_id = held.endpoint_id)
    select coalesce(held.woken, false) as woken, coalesce(w.at <= now(), false) as due, w.at, w.waiting
    from asked left join held using (endpoint_id) cross join lateral (${waits('asked.endpoint_id')}) w order by place`,
)

/** When the next delivery of an endpoint is due, and how many wait. */
export async function nextDue({ pool }: Pick<Database, 'pool'>, endpointId: string): Promise<Waiting> {
  const { rows } = await pool.query<Waiting>(NEXT_DUE.bind({ endpoint_id: endpointId }))
  return rows[0] ?? { at: null, waiting: 0 }
}

/** When the next delivery of an endpoint is due, and how many wait: always one row. */
const NEXT_DUE = statement('next-due', ['endpoint_id'], waits(':endpoint_id'))

/** Deletes the leases of endpoints that are gone. Returns how many. */
export async function forgetSenders({ pool }: Pick<Database, 'pool'>, limit: number): Promise<number> {
  return (await pool.query(FORGET.bind({ limit }))).rowCount ?? 0
}

/** Deletes leases that nobody holds, of endpoints that are deleted or unknown; its row count is how many. */
const FORGET = statement(
  'forget-senders',
  ['limit'],
  `delete from endpoint_senders where endpoint_id = any(array(
      select endpoint_id from endpoint_senders s
      where held_until < now() and not exists (select from webhook_endpoints w where w.endpoint_id = s.endpoint_id and w.status <> 'deleted')
      order by 1 limit :limit for update skip locked
    ))`,
)
