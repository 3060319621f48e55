import type { PoolClient } from 'pg'
import { type PostRow, postIdentity } from '../../domain/drops/postIdentity.ts'
import { arraysOf, namesOf, valuesOf } from '../connection/columns.ts'
import { statement } from '../connection/statement.ts'
import type { DropRun } from './drops.ts'

/** A row of delivery posts, with what of it the store looks at. */
export type DeliveryPost = PostRow & {
  readonly revision?: number
  readonly order_id?: string
  readonly external_order_id?: string
}

export interface PostLine {
  readonly row: number
  readonly entry: DeliveryPost
}

/**
 * Keeps rows of a file, within a transaction. They replace what earlier files have of the same identity, unless that has a higher revision or, with
 * the same revision, a later manifest.
 */
export async function savePosts(
  client: Pick<PoolClient, 'query'>,
  { seller, drop_id, run_no, registration }: DropRun,
  file: string,
  lines: readonly PostLine[],
): Promise<void> {
  const rows = lines.map(({ row, entry }) => ({
    row,
    record_type: entry.record_type,
    identity: postIdentity(entry),
    revision: entry.revision ?? 0,
    order_id: entry.order_id ?? null,
    external_order_id: entry.external_order_id ?? null,
    body: JSON.stringify(entry),
  }))
  await client.query(SAVE.bind({ seller, drop_id, run_no, registration, file, ...valuesOf(COLUMNS, rows) }))
}

const COLUMNS = {
  row: 'bigint',
  record_type: 'text',
  identity: 'text',
  revision: 'bigint',
  order_id: 'text',
  external_order_id: 'text',
  body: 'text',
} as const

/** Inserts the rows that nothing newer stands against, and deletes what they replace. */
const SAVE = statement(
  'save-delivery-posts',
  ['seller', 'drop_id', 'run_no', 'registration', 'file', ...namesOf(COLUMNS)],
  `
  with sent as (
    select s.*, coalesce(
        (select o.order_id from orders o where o.seller = :seller and o.order_id = s.order_id),
        (select min(o.order_id) from orders o where o.external_order_id = s.external_order_id and o.seller = :seller having count(*) = 1)
      ) as own_order_id
    from unnest(${arraysOf(COLUMNS)}) as s(${namesOf(COLUMNS).join(', ')})
  ), kept as (
    select s.* from sent s where not exists (
      select from delivery_posts p where p.seller = :seller and p.record_type = s.record_type and p.identity = s.identity
        and (p.revision, p.registration) > (s.revision, :registration::bigint))
  ), replaced as (
    delete from delivery_posts p using (select distinct record_type, identity from kept) k
    where p.seller = :seller and p.record_type = k.record_type and p.identity = k.identity
      and (p.registration, p.file) is distinct from (:registration::bigint, :file)
  )
  insert into delivery_posts (seller, drop_id, run_no, file, row, registration, record_type, identity, revision, order_id, body)
  select :seller, :drop_id, :run_no, :file, row, :registration::bigint, record_type, identity, revision, own_order_id, body::json from kept`,
)
