import type { PoolClient } from 'pg'
import { statement } from '../connection/statement.ts'
import { markDue } from './reconcileQueue.ts'

/** The file of a drop that rows are from. */
export interface PostsFile {
  readonly seller: string
  /** Of the drop: later manifests have higher ones. */
  readonly registration: string
  readonly file: string
}

/**
 * Writes the staged rows, after `stagePosts`. They replace what earlier files have of the same day of a log, invoice or post of a date, unless that has a
 * higher revision or, with the same revision, is from a later manifest. Marks the orders of rows that are gone and new, and those that were booked on
 * a day of which there was no log.
 */
export async function replacePosts(client: Pick<PoolClient, 'query'>, { seller, registration, file }: PostsFile): Promise<void> {
  for (const replace of [REPLACE_LOGS, REPLACE_INVOICES, REPLACE_POSTS]) await client.query(replace.bind({ seller, registration, file }))
}

const PARAMETERS = ['seller', 'registration', 'file'] as const

/** Whether what is sent takes the place of what is there: also of what an earlier slice of the same file has written. */
const wins = (standing: string) => `(excluded.revision, excluded.registration) >= (${standing}.revision, ${standing}.registration)
      or (excluded.registration, excluded.file) = (${standing}.registration, ${standing}.file)`
const EARLIER = '(r.registration, r.file) is distinct from (:registration::bigint, :file)'

const AIRED = `own_order_id, network, broadcast_date, air_date, air_time, clock, spot_length, isci, unit_id, makegood_for_unit_id, makegood_for_date, ran`
const AIRING = AIRED.replace('own_order_id', 'order_id')

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
    returning r.order_id
  ), kept as (
    insert into as_run_rows (seller, ${AIRING}, registration, file, row, log_id, status, reason)
    select :seller, ${AIRED}, :registration::bigint, :file, row, log_id, status, reason
    from staged_posts join won using (network, broadcast_date, log_id)
    where record_type = 'as_run' and fault is null and own_order_id is not null
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
      set invoice_date = excluded.invoice_date, broadcast_month = excluded.broadcast_month, gross = excluded.gross, commission = excluded.commission,
        net = excluded.net, spot_count = excluded.spot_count, revision = greatest(i.revision, excluded.revision),
        registration = excluded.registration, file = excluded.file
      where ${wins('i')}
    returning invoice_number
  ), gone as (
    delete from billed_rows r using won w where r.seller = :seller and r.invoice_number = w.invoice_number and ${EARLIER} returning r.order_id
  ), kept as (
    insert into billed_rows (seller, ${AIRING}, registration, file, row, invoice_number, broadcast_month, rate)
    select :seller, ${AIRED}, :registration::bigint, :file, row, invoice_number, broadcast_month, rate
    from staged_posts join won using (invoice_number) where record_type = 'invoice' and fault is null
    returning order_id
  ), ${markDue('select order_id from gone union select order_id from kept')}
  select`,
)

const REPLACE_POSTS = statement(
  'replace-posts',
  PARAMETERS,
  `
  with won as (
    insert into post_rows as p
      (seller, order_id, unit_id, network, air_date, audience_code, stream, impressions, final, revision, registration, file, row)
    select distinct on (unit_id, air_date, audience_code, stream) :seller, own_order_id, unit_id, network, air_date, audience_code, stream,
      impressions, final, revision, :registration::bigint, :file, row
    from staged_posts where record_type = 'post' and fault is null
    order by unit_id, air_date, audience_code, stream, revision desc, row desc
    on conflict (seller, unit_id, air_date, audience_code, stream) do update
      set order_id = excluded.order_id, network = excluded.network, impressions = excluded.impressions, final = excluded.final,
        revision = excluded.revision, registration = excluded.registration, file = excluded.file, row = excluded.row
      where (excluded.revision, excluded.registration) >= (p.revision, p.registration)
    returning order_id
  ), ${markDue('select distinct order_id from won')}
  select`,
)
