import type { PoolClient } from 'pg'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import { markDue } from './reconcileQueue.ts'

/** The file of a drop that contains the rows. */
export interface PostsFile {
  readonly seller: string
  /** The registration of the drop: later manifests have higher ones. */
  readonly registration: string
  readonly file: string
}

/** What became of the audience posts of a slice. */
export interface StoredPosts {
  /** The number of posts that do not count, since one of a higher revision, or of a later manifest, stands. */
  readonly outranked: number
  /** The number of posts that do not count, since another row of the drop gives another figure in their place. */
  readonly repeated: number
}

/**
 * Writes the rows that `stagePosts` has staged. The rows of all files of a drop add up; together they replace earlier drops' rows for the
 * same day of a log, invoice, or date of a post, unless those have a higher revision or, with the same revision, a later manifest. The
 * highest revision in a drop decides: rows that lose are set aside, and come back if a later slice of the drop wins. So are the rows of
 * earlier drops that are replaced (`closeReplaced`), and their drops are no longer replayed. Of audience posts for one place in a drop the
 * one of the highest revision counts, then the final one, then the largest: no order of rows or files decides. Marks the orders of removed
 * and new rows, and those that were booked on a day that had no log.
 */
export async function replacePosts(client: Pick<PoolClient, 'query'>, { seller, registration, file }: PostsFile): Promise<StoredPosts> {
  const sent = { seller, registration, file }
  await client.query(REPLACE_LOGS.bind(sent))
  await client.query(REPLACE_INVOICES.bind(sent))
  return (await client.query<StoredPosts>(REPLACE_POSTS.bind(sent))).rows[0] as StoredPosts
}

const PARAMETERS = ['seller', 'registration', 'file'] as const

/** SQL: true if the sent rows replace the existing ones, including those that an earlier slice of the same drop has written. */
const wins = (current: string) => `(excluded.revision, excluded.registration) >= (${current}.revision, ${current}.registration)
      or excluded.registration = ${current}.registration`
/** SQL: the higher of two values that slices of a drop state for an invoice, or the sent value if another drop stated the existing one. */
const stated = (column: string) =>
  `${column} = case when i.registration = excluded.registration then greatest(i.${column}, excluded.${column}) else excluded.${column} end`
const STATED = ['invoice_date', 'broadcast_month', 'gross', 'commission', 'net', 'spot_count'].map(stated).join(', ')
const EARLIER = 'r.registration <> :registration::bigint'
/** SQL: marks the drops that a query of what was replaced names: their files sent again are processed again, not replayed. */
const outdating = (replaced: string) => `outdated as (
    update drops set is_replaced = true
    where drops.seller = :seller and not is_replaced and drops.registration <> :registration::bigint
      and drops.registration = any(array(select distinct registration from (${replaced}) earlier))
  )`

const AIRED = `own_order_id, network, broadcast_date, air_date, air_time, clock, spot_length, isci, unit_id, makegood_for_unit_id, makegood_for_date, ran, noted`
const AIRING = AIRED.replace('own_order_id', 'order_id')
const FILED = 'registration, file, row'
export const LOGGED = `seller, ${AIRING}, ${FILED}, log_id, status, reason`
export const BILLED = `seller, ${AIRING}, ${FILED}, invoice_number, broadcast_month, rate`
const SENT_BY = `:seller, ${AIRED}, :registration::bigint, :file, row`
const SENT_LOGS = `${SENT_BY}, log_id, status, reason from staged_posts s`
const SENT_LOG = `record_type = 'as_run' and fault is null and own_order_id is not null`
const SENT_BILLS = `${SENT_BY}, invoice_number, broadcast_month, rate from staged_posts s`
const SENT_BILL = `record_type = 'invoice' and fault is null`
const OF_DROP = 'a.seller = :seller and a.registration = :registration::bigint'

const REPLACE_LOGS = statement(
  'replace-logs',
  PARAMETERS,
  `
  with won as (
    insert into as_run_days as d (seller, network, broadcast_date, log_id, revision, registration, file)
    select :seller, network, broadcast_date, log_id, max(revision), :registration::bigint, :file from staged_posts
    where record_type = 'as_run' and fault is null group by network, broadcast_date, log_id order by network, broadcast_date, log_id
    on conflict (seller, network, broadcast_date, log_id) do update
      set revision = greatest(d.revision, excluded.revision), registration = excluded.registration, file = excluded.file
      where ${wins('d')}
    returning network, broadcast_date, log_id, xmax = 0 as is_new
  ), gone as (
    delete from as_run_rows r using won w
    where r.seller = :seller and r.network = w.network and r.broadcast_date = w.broadcast_date and r.log_id = w.log_id and ${EARLIER}
    returning r.*
  ), replaced as (
    insert into as_run_rows_aside (${LOGGED}, replaced_in) select ${LOGGED}, :registration::bigint from gone
  ), ${outdating('select d.registration from as_run_days d join won using (network, broadcast_date, log_id) where d.seller = :seller')}, lost as (
    insert into as_run_rows_aside (${LOGGED})
    select ${SENT_LOGS} where ${SENT_LOG} and not exists (select from won w where (w.network, w.broadcast_date, w.log_id) = (s.network, s.broadcast_date, s.log_id))
  ), back as (
    delete from as_run_rows_aside a using won w
    where ${OF_DROP} and (a.network, a.broadcast_date, a.log_id) = (w.network, w.broadcast_date, w.log_id) returning a.*
  ), kept as (
    insert into as_run_rows (${LOGGED})
    select ${SENT_LOGS} join won using (network, broadcast_date, log_id) where ${SENT_LOG}
    union all select ${LOGGED} from back
    returning order_id
  ), covered as (
    select b.order_id from (select distinct network, broadcast_date from won where is_new) w
      join booked_spots b on b.seller = :seller and b.network = w.network and b.air_date between w.broadcast_date and w.broadcast_date + 1
  ), ${markDue('select order_id from gone union select order_id from kept union select order_id from covered')}
  select`,
)

const REPLACE_INVOICES = statement(
  'replace-invoices',
  PARAMETERS,
  `
  with won as (
    insert into seller_invoices as i
      (seller, invoice_number, invoice_date, broadcast_month, gross, commission, net, spot_count, revision, registration, file)
    select :seller, invoice_number, max(invoice_date), max(broadcast_month), max(invoice_gross), max(invoice_commission), max(invoice_net),
      max(invoice_spot_count), max(revision), :registration::bigint, :file
    from staged_posts where record_type = 'invoice' and fault is null group by invoice_number order by invoice_number
    on conflict (seller, invoice_number) do update
      set ${STATED}, revision = greatest(i.revision, excluded.revision), registration = excluded.registration, file = excluded.file
      where ${wins('i')}
    returning invoice_number
  ), gone as (
    delete from billed_rows r using won w where r.seller = :seller and r.invoice_number = w.invoice_number and ${EARLIER} returning r.*
  ), replaced as (
    insert into billed_rows_aside (${BILLED}, replaced_in) select ${BILLED}, :registration::bigint from gone
  ), ${outdating('select i.registration from seller_invoices i join won using (invoice_number) where i.seller = :seller')}, lost as (
    insert into billed_rows_aside (${BILLED})
    select ${SENT_BILLS} where ${SENT_BILL} and not exists (select from won w where w.invoice_number = s.invoice_number)
  ), back as (
    delete from billed_rows_aside a using won w where ${OF_DROP} and a.invoice_number = w.invoice_number returning a.*
  ), kept as (
    insert into billed_rows (${BILLED})
    select ${SENT_BILLS} join won using (invoice_number) where ${SENT_BILL}
    union all select ${BILLED} from back
    returning order_id
  ), ${markDue('select order_id from gone union select order_id from kept')}
  select`,
)

const REPLACE_POSTS = statement(
  'replace-posts',
  PARAMETERS,
  `
  with ranked as materialized (
    select *, row_number() over place as place, first_value(revision) over place as top_revision, first_value(final) over place as top_final,
      first_value(impressions) over place as top_impressions
    from staged_posts where record_type = 'post' and fault is null
    window place as (partition by unit_id, air_date, audience_code, stream order by revision desc, final desc, impressions desc, row)
  ), sent as materialized (
    select s.*, p.revision as its_revision, p.registration as its_registration, p.final as its_final, p.impressions as its_impressions
    from ranked s left join post_rows p
      on p.seller = :seller and (p.unit_id, p.air_date, p.audience_code, p.stream) = (s.unit_id, s.air_date, s.audience_code, s.stream)
    where s.place = 1
  ), won as (
    insert into post_rows as p
      (seller, order_id, unit_id, network, air_date, audience_code, stream, impressions, final, revision, registration, file, row)
    select :seller, own_order_id, unit_id, network, air_date, audience_code, stream, impressions, final, revision, :registration::bigint, :file, row
    from sent order by unit_id, air_date, audience_code, stream
    on conflict (seller, unit_id, air_date, audience_code, stream) do update
      set order_id = excluded.order_id, network = excluded.network, impressions = excluded.impressions, final = excluded.final,
        revision = excluded.revision, registration = excluded.registration, file = excluded.file, row = excluded.row
      where (excluded.revision, excluded.registration, excluded.final, excluded.impressions) > (p.revision, p.registration, p.final, p.impressions)
    returning order_id
  ), ${outdating('select its_registration as registration from sent where (revision, :registration::bigint) > (its_revision, its_registration)')},
  ${markDue('select distinct order_id from won')}
  select (select count(*) from sent where (its_revision, its_registration) > (revision, :registration::bigint))::int as outranked,
    ((select count(*) from ranked where revision = top_revision and (final, impressions) <> (top_final, top_impressions))
    + (select count(*) from sent
      where (its_registration, its_revision) = (:registration::bigint, revision) and (its_final, its_impressions) <> (final, impressions)))::int as repeated`,
)

/**
 * Deletes what this drop and earlier ones have set aside, in several transactions. Spares later drops: an attempt that was given up may
 * still get here while the next drop is being stored.
 */
export async function deleteSupersededRows(
  { pool }: Pick<Database, 'pool'>,
  { seller, registration }: Pick<PostsFile, 'seller' | 'registration'>,
): Promise<void> {
  for (const drop of [DROP_LOGS_ASIDE, DROP_BILLS_ASIDE, DROP_REFUSED]) {
    for (let dropped = ROWS_PER_BATCH; dropped === ROWS_PER_BATCH; ) {
      dropped = (await pool.query(drop.bind({ seller, registration, limit: ROWS_PER_BATCH }))).rowCount ?? 0
    }
  }
}

const ROWS_PER_BATCH = 10_000
const dropped = (name: string, table: string, by = 'registration') =>
  statement(
    name,
    ['seller', 'registration', 'limit'],
    `delete from ${table} where ctid = any(array(select ctid from ${table} where seller = :seller and ${by} <= :registration::bigint limit :limit::int))`,
  )
/** Deletes some of the log rows that are set aside. */
const DROP_LOGS_ASIDE = dropped('drop-logs-aside', 'as_run_rows_aside', 'coalesce(replaced_in, registration)')
/** Deletes some of the invoice rows that are set aside. */
const DROP_BILLS_ASIDE = dropped('drop-bills-aside', 'billed_rows_aside', 'coalesce(replaced_in, registration)')
/** Deletes some of what is kept of refused rows. */
const DROP_REFUSED = dropped('drop-refused-posts', 'refused_posts')
