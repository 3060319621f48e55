import { sql } from 'kysely'
import type { RateWindow } from '../../domain/publish/cardNotices.ts'
import type { Tx } from '../connection/database.ts'
import { isPublished } from './unpublished.ts'

/** A window with its seller and commit. */
export interface CommitWindow extends RateWindow {
  readonly seller: string
  readonly commit_no: string
}

/** Stores the windows of some prices until they are announced: open ones with their commit, the others when they open. */
export async function keepWindows(tx: Tx, lockedRateIds: readonly string[]): Promise<void> {
  await sql`
    insert into rate_windows (opens, seller, commit_no, product_id, week, market_class, closes, entry_opens)
    select distinct coalesce(window_opens, now()), seller, commit_no, product_id, week, market_class, window_closes, window_opens
    from rate_entries where locked_rate_id = any(${lockedRateIds}::text[]) and window_closes > now()
    on conflict do nothing`.execute(tx)
}

/**
 * Takes windows that are due, of all published commits or of one. Each is taken once, even by concurrent calls. Returns those that are not
 * over, with the prices that no newer commit has replaced since.
 */
export async function takeDueWindows(
  tx: Tx,
  now: string,
  limit: number,
  commitNo?: string,
): Promise<{ taken: number; windows: CommitWindow[] }> {
  const { rows } = await sql<CommitWindow & { locked_rate_ids: string[] | null }>`
    with due as (
      select w.opens, w.seller, w.commit_no, w.product_id, w.week, w.market_class, w.closes from rate_windows w
      where w.opens <= ${now}::timestamptz and (${commitNo ?? null}::bigint is null or w.commit_no = ${commitNo ?? null}::bigint)
        and (exists (select from rate_commits c where c.commit_no = w.commit_no)
          or exists (select from rate_commit_parts p where p.commit_no = w.commit_no))
      order by w.opens limit ${limit} for update of w skip locked
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
      and (e.seller, e.commit_no, e.product_id, e.week, e.market_class, e.window_closes)
        = (t.seller, t.commit_no, t.product_id, t.week, t.market_class, t.closes)
      and e.window_opens is not distinct from t.entry_opens
      and not exists (
        select from rate_entries newer
        where (newer.seller, newer.product_id, newer.week, newer.spot_length, newer.market_class, newer.advertiser_class, newer.buy_type)
            = (e.seller, e.product_id, e.week, e.spot_length, e.market_class, e.advertiser_class, e.buy_type)
          and newer.clearance_tier is not distinct from e.clearance_tier and newer.agreement_id is not distinct from e.agreement_id
          and newer.visible_to is null and newer.commit_no > e.commit_no
          and ${sql.raw(isPublished('e.seller', 'newer.commit_no'))})
    group by t.seller, t.commit_no, t.product_id, t.week, t.market_class, t.opens, t.closes
    order by t.opens, t.seller, t.product_id, t.week`.execute(tx)
  return { taken: rows.length, windows: rows.filter(({ locked_rate_ids }) => locked_rate_ids !== null) }
}
