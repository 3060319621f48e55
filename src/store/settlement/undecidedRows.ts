import type { PoolClient } from 'pg'
import { statement } from '../connection/statement.ts'
import { POST_KEY } from './keepRefused.ts'
import { markDue } from './reconcileQueue.ts'
import type { PostsFile } from './replacePosts.ts'

/**
 * Rows of logs whose status does not say whether a spot aired. They change nothing: they are not kept, and leave earlier rows as refused ones
 * do. But a log that has such a row of an order does not say that the spots of the order it leaves out did not air, so its days are noted
 * until a log decides.
 */

type Client = Pick<PoolClient, 'query'>

/** Takes the undecided rows out of the staged ones, and notes their orders and days. Returns how many belonged to an order. */
export async function setUndecidedAside(client: Client, { seller, registration, file }: PostsFile): Promise<number> {
  const { rows } = await client.query<{ undecided: number }>(SET_ASIDE.bind({ seller, registration, file }))
  return rows[0]?.undecided ?? 0
}

/** Marks the orders whose days the logs of the staged rows decide or leave undecided, and forgets what later logs have decided. */
export async function markUndecided(client: Client, { seller }: Pick<PostsFile, 'seller'>): Promise<void> {
  await client.query(MARK.bind({ seller }))
}

const SET_ASIDE = statement(
  'set-undecided-aside',
  ['seller', 'registration', 'file'],
  `
  with undecided as (
    delete from staged_posts where record_type = 'as_run' and ran is null and fault is null returning *
  ), kept as (
    insert into refused_posts (seller, registration, file, row, ${POST_KEY})
    select :seller, :registration::bigint, :file, row, ${POST_KEY} from undecided on conflict do nothing
  ), noted as (
    insert into as_run_undecided (seller, network, broadcast_date, log_id, order_id, registration)
    select distinct :seller, network, broadcast_date, log_id, own_order_id, :registration::bigint from undecided where own_order_id is not null
    on conflict do nothing
  ), ${markDue('select distinct own_order_id as order_id from undecided where own_order_id is not null')}
  select count(own_order_id)::int as undecided from undecided`,
)

const MARK = statement(
  'mark-undecided',
  ['seller'],
  `
  with logs as (
    select distinct network, broadcast_date, log_id from staged_posts where record_type = 'as_run' and fault is null
  ), noted as (
    select u.* from as_run_undecided u join logs using (network, broadcast_date, log_id) where u.seller = :seller
  ), decided as (
    delete from as_run_undecided u using noted n, as_run_days d
    where u.seller = :seller and (u.network, u.broadcast_date, u.log_id, u.order_id, u.registration)
        = (n.network, n.broadcast_date, n.log_id, n.order_id, n.registration)
      and (d.seller, d.network, d.broadcast_date, d.log_id) = (u.seller, u.network, u.broadcast_date, u.log_id) and u.registration < d.registration
  ), ${markDue('select distinct order_id from noted')}
  select`,
)
