import type { PoolClient } from 'pg'
import { statement } from '../connection/statement.ts'
import type { PostsFile } from './replacePosts.ts'

type Client = Pick<PoolClient, 'query'>

/**
 * Keeps what could be read of the refused rows of a staged slice, until the drop ends: which log or invoice each is of, and its time. Of
 * `rejected` rows those without a line in the slice could not be read at all.
 */
export async function keepRefused(client: Client, { seller, registration, file }: PostsFile, rejected: number): Promise<void> {
  await client.query(KEEP.bind({ seller, registration, file, rejected }))
}

/** Keeps that a file, or some row of it, could not be read. */
export async function keepUnreadable(client: Client, { seller, registration, file }: PostsFile): Promise<void> {
  await client.query(KEEP_UNREADABLE.bind({ seller, registration, file }))
}

/** The columns that tell which log or invoice a row is of, and its time. */
export const POST_KEY = 'record_type, network, broadcast_date, log_id, invoice_number, air_date, air_time, isci'
const READABLE =
  'record_type text, network text, broadcast_date date, log_id text, invoice_number text, air_date date, air_time text, isci text'

const KEEP = statement(
  'keep-refused-posts',
  ['seller', 'registration', 'file', 'rejected'],
  `
  with refused as materialized (
    select (line->>'row')::bigint as row, r.* from post_lines cross join lateral json_to_record(line->'refused') as r (${READABLE})
    where line->'refused' is not null
  )
  insert into refused_posts (seller, registration, file, row, ${POST_KEY})
    select :seller, :registration::bigint, :file, row, ${POST_KEY} from refused where record_type is distinct from 'post'
    union all
    select :seller, :registration::bigint, :file, row, ${POST_KEY} from staged_posts where fault is not null and record_type <> 'post'
    union all
    select :seller, :registration::bigint, :file, 0, null, null, null, null, null, null, null, null
      where :rejected::bigint > (select count(*) from refused)
    on conflict do nothing`,
)

/** Keeps a refused row of which nothing could be read. */
const KEEP_UNREADABLE = statement(
  'keep-unreadable-posts',
  ['seller', 'registration', 'file'],
  `insert into refused_posts (seller, registration, file, row) values (:seller, :registration::bigint, :file, 0) on conflict do nothing`,
)
