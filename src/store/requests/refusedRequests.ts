import type { RefusedRequest } from '../../contract/refusedRequest.ts'
import { arraysOf, namesOf, valuesOf } from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/** A request that was refused or that failed. */
export type NewRefused = RefusedRequest & { readonly tenant: string }

/** The most entries of a tenant, and how long each is kept. */
export const REFUSED_PER_TENANT = 10_000
export const REFUSED_KEPT_SECONDS = 7 * 86_400
/** The most pointers of an entry, and characters of its path. */
const MAX_POINTERS = 20
const PATH_CHARACTERS = 500

/** Writes entries of several tenants in one statement. */
export async function saveRefused(db: Pick<Database, 'as'>, batch: readonly NewRefused[]): Promise<void> {
  const tenants = [...new Set(batch.map(({ tenant }) => tenant))]
  await db.as(tenants).pool.query(SAVE.bind(valuesOf(COLUMNS, batch.map(asRow))))
}

const COLUMNS = {
  tenant: 'text',
  at: 'timestamptz',
  request_id: 'text',
  operation: 'text',
  method: 'text',
  path: 'text',
  status: 'smallint',
  error_code: 'text',
  pointers: 'text',
  credential_id: 'text',
} as const

function asRow({ pointers, path, ...refused }: NewRefused) {
  return { ...refused, path: path.slice(0, PATH_CHARACTERS), pointers: JSON.stringify(pointers.slice(0, MAX_POINTERS)) }
}

/** Writes entries of the log. Returns nothing. */
const SAVE = statement(
  'save-refused-requests',
  namesOf(COLUMNS),
  `insert into refused_requests (${namesOf(COLUMNS).join(', ')}) select * from unnest(${arraysOf(COLUMNS)})`,
)

export interface RefusedFilter {
  readonly since?: string | undefined
  readonly status?: number | undefined
  readonly request_id?: string | undefined
}

/** Lists a tenant's entries with their numbers, newest first, below `before`. */
export async function listRefused(
  { sql }: Pick<Database, 'sql'>,
  tenant: string,
  { since, status, request_id }: RefusedFilter,
  before: string | undefined,
  limit: number,
): Promise<(RefusedRequest & { refused_no: string })[]> {
  let query = sql
    .selectFrom('refused_requests')
    .select(['refused_no', 'at', 'request_id', 'operation', 'method', 'path', 'status', 'error_code', 'pointers', 'credential_id'])
    .where('tenant', '=', tenant)
  if (since !== undefined) query = query.where('at', '>=', since)
  if (status !== undefined) query = query.where('status', '=', status)
  if (request_id !== undefined) query = query.where('request_id', '=', request_id)
  if (before !== undefined) query = query.where('refused_no', '<', before)
  const rows = await query.orderBy('refused_no', 'desc').limit(limit).execute()
  return rows.map((row) => ({ ...row, pointers: JSON.parse(row.pointers) as string[] }))
}

/** Deletes up to `limit` entries that are older than they are kept. Returns their number. */
export async function deleteOldRefused({ pool }: Pick<Database, 'pool'>, limit: number): Promise<number> {
  return (await pool.query(FORGET.bind({ limit, kept_seconds: REFUSED_KEPT_SECONDS }))).rowCount ?? 0
}

/** Deletes up to `limit` entries of tenants that have more than they may, the oldest of each. Returns their number. */
export async function trimRefused({ pool }: Pick<Database, 'pool'>, limit: number, max = REFUSED_PER_TENANT): Promise<number> {
  return (await pool.query(TRIM.bind({ limit, max }))).rowCount ?? 0
}

/** Deletes some old entries. */
const FORGET = statement(
  'forget-refused-requests',
  ['limit', 'kept_seconds'],
  `delete from refused_requests where refused_no in (
      select refused_no from refused_requests where at < now() - :kept_seconds * interval '1 second' limit :limit
    )`,
)

/** Deletes some entries of tenants that have too many: those up to the newest that is one too many, which the index of each tenant finds. */
const TRIM = statement(
  'trim-refused-requests',
  ['limit', 'max'],
  `delete from refused_requests where refused_no in (
      select old.refused_no from tenants
        cross join lateral (
          select refused_no from refused_requests r where r.tenant = tenants.entity order by refused_no desc offset :max limit 1
        ) last
        cross join lateral (
          select refused_no from refused_requests r where r.tenant = tenants.entity and r.refused_no <= last.refused_no
          order by refused_no limit :limit
        ) old
      limit :limit
    )`,
)
