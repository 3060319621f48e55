import { sql } from 'kysely'
import type { RateWindow } from '../domain/publish/cardNotices.ts'
import type { Tx } from './database.ts'

/** A window with the seller and commit that it belongs to. */
export interface CommitWindow extends RateWindow {
  readonly seller: string
  readonly commit_no: string
}

/** Keeps the windows of a commit that open later, until they do. Those without `opens`, and those that are over, are never kept. */
export async function keepWindows(tx: Tx, commitNo: string, now: string): Promise<void> {
  await sql`
    insert into rate_windows (opens, seller, commit_no, product_id, week, market_class, closes)
    select distinct window_opens, seller, commit_no, product_id, week, market_class, window_closes
    from rate_entries where commit_no = ${commitNo}::bigint and window_opens > ${now}::timestamptz`.execute(tx)
}

/** The windows of a commit that are open. */
export async function openWindows(tx: Tx, commitNo: string, now: string): Promise<CommitWindow[]> {
  const { rows } = await sql<CommitWindow>`
    select seller, commit_no, product_id, week, market_class, agreement_id, window_opens as opens, window_closes as closes,
      array_agg(locked_rate_id order by locked_rate_id) as locked_rate_ids
    from rate_entries
    where commit_no = ${commitNo}::bigint and window_closes > ${now}::timestamptz and (window_opens is null or window_opens <= ${now}::timestamptz)
    group by seller, commit_no, product_id, week, market_class, agreement_id, window_opens, window_closes
    order by product_id, week, market_class, window_opens, window_closes`.execute(tx)
  return rows
}

/**
 * Takes windows that are due, so that each is announced once however many ask, and answers those that are not over, with the prices that no
 * newer commit has replaced since.
 */
export async function takeDueWindows(tx: Tx, now: string, limit: number): Promise<{ taken: number; windows: CommitWindow[] }> {
  const { rows } = await sql<CommitWindow & { locked_rate_ids: string[] | null }>`
    with due as (
      select opens, seller, commit_no, product_id, week, market_class, closes from rate_windows
      where opens <= ${now}::timestamptz order by opens limit ${limit} for update skip locked
    ), taken as (
      delete from rate_windows w using due d
      where (w.opens, w.seller, w.commit_no, w.product_id, w.week, w.market_class, w.closes)
        = (d.opens, d.seller, d.commit_no, d.product_id, d.week, d.market_class, d.closes)
      returning w.*
    )
    select t.seller, t.commit_no, t.product_id, t.week, t.market_class, t.opens, t.closes, min(e.agreement_id) as agreement_id,
      array_agg(e.locked_rate_id order by e.locked_rate_id) filter (where e.locked_rate_id is not null) as locked_rate_ids
    from taken t
    left join rate_entries e on t.closes > ${now}::timestamptz
      and (e.seller, e.commit_no, e.product_id, e.week, e.market_class, e.window_opens, e.window_closes)
        = (t.seller, t.commit_no, t.product_id, t.week, t.market_class, t.opens, t.closes)
      and not exists (
        select from rate_entries newer
        where (newer.seller, newer.product_id, newer.week, newer.spot_length, newer.market_class, newer.advertiser_class, newer.buy_type)
            = (e.seller, e.product_id, e.week, e.spot_length, e.market_class, e.advertiser_class, e.buy_type)
          and newer.clearance_tier is not distinct from e.clearance_tier and newer.agreement_id is not distinct from e.agreement_id
          and newer.visible_to is null and newer.commit_no > e.commit_no)
    group by t.seller, t.commit_no, t.product_id, t.week, t.market_class, t.opens, t.closes
    order by t.opens, t.seller, t.product_id, t.week`.execute(tx)
  return { taken: rows.length, windows: rows.filter(({ locked_rate_ids }) => locked_rate_ids !== null) }
}
