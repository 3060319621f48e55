import type { PoolClient } from 'pg'
import { statement } from '../connection/statement.ts'
import { markDue } from './reconcileQueue.ts'
import { BILLED, LOGGED } from './replacePosts.ts'

type Client = Pick<PoolClient, 'query'>

/** The drop that has been stored. */
export interface StoredDrop {
  readonly seller: string
  readonly registration: string
}

/** A log of a day, or an invoice. */
export interface Whole {
  /** A day of a network's log; null for an invoice. */
  readonly network: string | null
  readonly broadcast_date: string | null
  readonly log_id: string | null
  /** Null for a log. */
  readonly invoice_number: string | null
  /** A file of the drop that has rows of it, and the first of these rows; 0 if none of them was kept. */
  readonly file: string
  readonly row: number
}

/** A log or an invoice of which a drop has replaced rows. */
export interface ReplacedWhole extends Whole {
  /** The drop that it replaced, the latest if rows came from several. */
  readonly drop_id: string | null
  readonly replaced: number
  /** The number of replaced rows at whose date and time the drop has no row. */
  readonly missing: number
  /** The number of those that stay, since rows of the drop were refused. */
  readonly kept: number
}

/** A log or an invoice of a drop that does not count, since one of a higher revision stands. */
export interface OutrankedWhole extends Whole {
  readonly rows: number
  /** The drop that stands, and its revision. */
  readonly drop_id: string | null
  readonly revision: number
}

/**
 * Decides on some of the rows that a drop has replaced, once all of its files are stored: removes them, or puts them back where rows of the
 * drop were refused. A refused row leaves an earlier row of its log or invoice, of those at whose date and time the drop has no other row:
 * first one of its own time, then one of its copy. All of those stay if it cannot be read of which log or invoice a refused row is, or if a
 * file cannot be read. Nothing depends on the order of rows and files. Returns what it has decided on; nothing once all is decided.
 */
export async function closeReplaced(client: Client, { seller, registration }: StoredDrop): Promise<ReplacedWhole[]> {
  const bound = { seller, registration, limit: WHOLES_PER_BATCH }
  await client.query(JOIN_BY_HASH)
  const logs = await client.query<ReplacedWhole>(SETTLE_LOGS.bind(bound))
  const invoices = await client.query<ReplacedWhole>(SETTLE_INVOICES.bind(bound))
  return [...logs.rows, ...invoices.rows]
}

/** Returns the first logs and invoices of a stored drop that do not count. */
export async function outrankedWholes(client: Client, { seller, registration }: StoredDrop, max: number): Promise<OutrankedWhole[]> {
  const { rows } = await client.query<OutrankedWhole>(OUTRANKED.bind({ seller, registration, max }))
  return rows
}

const WHOLES_PER_BATCH = 200

/** Nothing is known of the rows that a statement passes on to its later parts, and a nested loop over some thousand of them takes minutes. */
const JOIN_BY_HASH = { name: 'join-by-hash', text: 'set local enable_nestloop = off' }

/** A kind of rows: its table, its columns, what identifies a whole, and that as the members of a result. */
interface Kind {
  readonly record_type: 'as_run' | 'invoice'
  readonly table: string
  readonly columns: string
  readonly whole: string
  readonly named: string
}

const LOGS: Kind = {
  record_type: 'as_run',
  table: 'as_run_rows',
  columns: LOGGED,
  whole: 'network, broadcast_date, log_id',
  named: 'network, broadcast_date::text as broadcast_date, log_id, null as invoice_number',
}
const INVOICES: Kind = {
  record_type: 'invoice',
  table: 'billed_rows',
  columns: BILLED,
  whole: 'invoice_number',
  named: 'null as network, null as broadcast_date, null as log_id, invoice_number',
}

/** SQL: what a row says of its spot besides the date, as one text. */
const SAID = `concat_ws('|', order_id, network, coalesce(air_time, ''), spot_length, coalesce(isci, ''), coalesce(unit_id, ''), ran)`

/** Takes the replaced rows of some wholes, numbers them at each date and time, and puts those back that stay. */
const close = ({ record_type, table, columns, whole, named }: Kind) => {
  const isOf = (row: string) => `(${whole.replace(/\w+/g, `${row}.$&`)}) = (${whole.replace(/\w+/g, 'wholes.$&')})`
  return statement(
    `settle-replaced-${table}`,
    ['seller', 'registration', 'limit'],
    `
  with wholes as materialized (
    select distinct ${whole} from ${table}_aside where seller = :seller and replaced_in = :registration::bigint order by ${whole} limit :limit::int
  ), taken as (
    delete from ${table}_aside where ctid = any(array(
      select own.at from wholes cross join lateral (
        select ctid as at from ${table}_aside a where a.seller = :seller and a.replaced_in = :registration::bigint and ${isOf('a')} offset 0
      ) own))
    returning *
  ), earlier as (
    select *, coalesce(air_time, '') as at_time, ${SAID} as said from taken
  ), sent as materialized (
    select own.*, coalesce(air_time, '') as at_time, ${SAID.replace('network', 'own.network')} as said
    from wholes cross join lateral (
      select r.* from ${table} r where r.seller = :seller and r.registration = :registration::bigint and ${isOf('r')} offset 0
    ) own
  ), said_again as (
    select distinct ${whole}, air_date, said, true as is_said from sent
  ), taken_times as (
    select ${whole}, air_date, at_time, count(*) as spots from sent group by ${whole}, air_date, at_time
  ), refused as materialized (
    select * from refused_posts
    where seller = :seller and registration = :registration::bigint and (record_type is null or record_type = '${record_type}')
  ), refused_rows as (
    select ${whole}, count(*) as refusals from refused where num_nulls(${whole}) = 0 group by ${whole}
  ), refused_times as (
    select distinct ${whole}, air_date, air_time as at_time, true as is_refused_time from refused where num_nulls(${whole}, air_date, air_time) = 0
  ), refused_copies as (
    select distinct ${whole}, isci, true as is_refused_copy from refused where num_nulls(${whole}, isci) = 0
  ), numbered as (
    select e.*, row_number() over (partition by ${whole}, air_date, at_time order by is_said, said) as n
    from earlier e left join said_again using (${whole}, air_date, said)
  ), missing as materialized (
    select n.* from numbered n left join taken_times t using (${whole}, air_date, at_time) where n.n > coalesce(t.spots, 0)
  ), ranked as (
    select m.*, row_number() over (partition by ${whole} order by is_refused_time, is_refused_copy, air_date, at_time, said) as place
    from missing m left join refused_times using (${whole}, air_date, at_time) left join refused_copies using (${whole}, isci)
  ), kept as (
    insert into ${table} (${columns})
    select ${columns} from ranked left join refused_rows using (${whole})
    where place <= refusals or exists (select from refused where num_nulls(${whole}) > 0)
    returning ${whole}, order_id
  ), ${markDue('select distinct order_id from kept')}
  select ${named}, replaced, coalesce(gone.n, 0)::int as missing, coalesce(stays.n, 0)::int as kept,
    (select drop_id from drops d where d.seller = :seller and d.registration = e.registration) as drop_id,
    coalesce(first.file, '') as file, coalesce(first.row, 0)::int as row
  from (select ${whole}, count(*)::int as replaced, max(registration) as registration from earlier group by ${whole}) e
    left join (select ${whole}, count(*) as n from missing group by ${whole}) gone using (${whole})
    left join (select ${whole}, count(*) as n from kept group by ${whole}) stays using (${whole})
    left join (select distinct on (${whole}) ${whole}, file, row from sent order by ${whole}, file, row) first using (${whole})
  order by ${whole}`,
  )
}
const SETTLE_LOGS = close(LOGS)
const SETTLE_INVOICES = close(INVOICES)

const outranked = ({ table, whole, named }: Kind, current: string) => {
  const own = `(select * from ${table}_aside where seller = :seller and replaced_in is null and registration = :registration::bigint) own`
  return `
  select ${named}, w.rows, d.drop_id, s.revision::int as revision, first.file, first.row::int as row
  from (select ${whole}, count(*)::int as rows from ${own} group by ${whole}) w
    join (select distinct on (${whole}) ${whole}, file, row from ${own} order by ${whole}, file, row) first using (${whole})
    join ${current} s using (${whole}) left join drops d on d.seller = :seller and d.registration = s.registration
  where s.seller = :seller`
}

/** Reads the wholes whose rows the drop has set aside to its end. */
const OUTRANKED = statement(
  'read-outranked-posts',
  ['seller', 'registration', 'max'],
  `select * from (${outranked(LOGS, 'as_run_days')} union all ${outranked(INVOICES, 'seller_invoices')}) found
    order by network, broadcast_date, log_id, invoice_number limit :max::int`,
)
