import type pg from 'pg'
import { batched } from '../connection/batched.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

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

/** Takes an endpoint. False while another sender has it, which then looks once more before it leaves. */
export const takeEndpoint = batched<SenderClaim, boolean>(async (pool, asks) => {
  const { rows } = await pool.query<{ endpoint_id: string; sender: string }>(TAKE.bind(columnsOf(asks)))
  const senders = new Map(rows.map(({ endpoint_id, sender }) => [endpoint_id, sender]))
  return asks.map(({ endpointId, sender }) => senders.get(endpointId) === sender)
})

const columnsOf = (asks: readonly SenderClaim[]) => ({
  endpoint_ids: asks.map(({ endpointId }) => endpointId),
  senders: asks.map(({ sender }) => sender),
})

/** Makes the asking senders those of the endpoints that nobody has, and wakes the senders of the others. Returns who has each. */
const TAKE = statement(
  'take-endpoints',
  ['endpoint_ids', 'senders'],
  `insert into endpoint_senders as s (endpoint_id, sender, held_until)
      select endpoint_id, sender, now() + ${LEASE} from unnest(:endpoint_ids::text[], :senders::text[]) as asked (endpoint_id, sender) order by 1
    on conflict (endpoint_id) do update set
      sender = case when s.held_until > now() then s.sender else excluded.sender end,
      held_until = case when s.held_until > now() then s.held_until else excluded.held_until end,
      woken = s.held_until > now()
    returning endpoint_id, sender`,
)

/** Renews the leases of a sender. Returns the endpoints that are still its own. */
export async function renewEndpoints(pool: pg.Pool, sender: string, endpointIds: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ endpoint_id: string }>(RENEW.bind({ sender, endpoint_ids: endpointIds }))
  return rows.map(({ endpoint_id }) => endpoint_id)
}

/** Sets leases to end later; one that another sender has taken meanwhile is left as it is. */
const RENEW = statement(
  'renew-endpoints',
  ['sender', 'endpoint_ids'],
  `update endpoint_senders set held_until = now() + ${LEASE} where sender = :sender and endpoint_id = any(:endpoint_ids::text[]) returning endpoint_id`,
)

/** What waits for an endpoint: when the next of it is due (null when nothing waits), and how many deliveries do. */
export interface Waiting {
  at: string | null
  waiting: number
}

/** An endpoint as it was left: whether another process has asked its sender to look once more, and whether something that waits is due already. */
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
  `with asked as (select * from unnest(:endpoint_ids::text[], :senders::text[]) with ordinality as asked (endpoint_id, sender, place)),
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
