import { type LandingBounds, type LandingRoom, type Landings, landingRoom } from '../../domain/drops/landingRoom.ts'
import type { Database } from '../connection/database.ts'
import { lockedTransaction, lockOn } from '../connection/lockedTransaction.ts'
import { statement } from '../connection/statement.ts'
import type { DropFileKey } from './dropFiles.ts'

/**
 * Files that are landing. Each reserves its bytes before they are stored, and a seller's reservations run one after another, so that the
 * bounds of a drop and of a seller also hold for files that arrive concurrently.
 */

type Pool = Pick<Database, 'pool'>

export interface Landing extends DropFileKey {
  readonly landing_id: string
  /** The number of reserved bytes. */
  readonly bytes: number
}

/** The bytes that a file asks for: those that it needs at least, and those that it takes if there is room. */
export interface Asked {
  readonly needed: number
  readonly wanted?: number
}

/** Reserves bytes for a file that starts to land. Throws a refusal if there is no room for it. */
export async function beginLanding(db: Pool, key: DropFileKey, asked: Asked, bounds: LandingBounds): Promise<Landing> {
  return reserve(db, { ...keyOf(key), landing_id: null }, asked, bounds)
}

/** Reserves more bytes for a file that is landing. */
export async function growLanding(db: Pool, landing: Landing, asked: Asked, bounds: LandingBounds): Promise<Landing> {
  return reserve(db, { ...keyOf(landing), landing_id: landing.landing_id }, asked, bounds)
}

/** Records that a file has landed with this size; its hash is not known yet. */
export async function endLanding({ pool }: Pool, landing: Landing, size: number): Promise<void> {
  await pool.query(END.bind({ ...keyOf(landing), landing_id: landing.landing_id, size }))
}

/** Releases the bytes of a file that did not land. */
export async function abandonLanding({ pool }: Pool, { landing_id }: Landing): Promise<void> {
  await pool.query(ABANDON.bind({ landing_id }))
}

/** Returns the current room for a file. */
export async function readLandingRoom({ pool }: Pool, key: DropFileKey, bounds: LandingBounds): Promise<LandingRoom> {
  return roomOf({ pool }, { ...keyOf(key), landing_id: null }, bounds)
}

/** Records that a file has been removed. Its drop still counts for its day. */
export async function deleteLanding({ pool }: Pool, key: DropFileKey): Promise<void> {
  const { rowCount } = await pool.query(FORGET.bind({ ...keyOf(key) }))
  if (rowCount === 0) await pool.query(EMPTY.bind({ ...keyOf(key) }))
}

type Own = DropFileKey & { readonly landing_id: string | null }

function reserve({ pool }: Pool, own: Own, { needed, wanted = needed }: Asked, bounds: LandingBounds): Promise<Landing> {
  return lockedTransaction(pool, lockOn(`landings:${own.seller}`), async (client) => {
    const { max, refusal } = await roomOf({ pool: client }, own, bounds)
    if (needed > max) throw refusal
    const bytes = Math.min(wanted, max)
    const { rows } = await client.query<{ landing_id: string }>(RESERVE.bind({ ...own, bytes }))
    return { ...keyOf(own), landing_id: (rows[0] as { landing_id: string }).landing_id, bytes }
  })
}

async function roomOf({ pool }: { pool: Pick<Database['pool'], 'query'> }, own: Own, bounds: LandingBounds): Promise<LandingRoom> {
  const { rows } = await pool.query<Landings & { bytes: string; stock: string }>(BESIDE.bind({ ...own }))
  const { files, bytes, drops_today, stock } = rows[0] as (typeof rows)[number]
  return landingRoom(own, { files, bytes: Number(bytes), drops_today, stock: Number(stock) }, bounds)
}

function keyOf({ seller, drop_id, filename }: DropFileKey): DropFileKey {
  return { seller, drop_id, filename }
}

/** SQL: the files of a seller's other landings. */
const OTHERS = `select drop_id, filename, bytes from drop_landings
      where seller = :seller and until > now() and landing_id is distinct from :landing_id::bigint`

/** Sums what has landed and is landing, except for one file: always one row. */
const BESIDE = statement(
  'read-drop-landings',
  ['seller', 'drop_id', 'filename', 'landing_id'],
  `
  with landing as (${OTHERS}), of_drop as (
    select filename, max(bytes) as bytes from (
      select filename, size as bytes from drop_files where seller = :seller and drop_id = :drop_id
      union all select filename, bytes from landing where drop_id = :drop_id
    ) f group by filename
  ), today as (
    select drop_id from drop_files where seller = :seller and landed_at > now() - interval '1 day' union select drop_id from landing
  )
  select count(*) filter (where filename not in (:filename, 'manifest.json'))::int as files,
    coalesce(sum(bytes) filter (where filename not in (:filename, 'manifest.json')), 0)::bigint as bytes,
    case when count(*) > 0 then 0 else (select count(*)::int from today) end as drops_today,
    coalesce((select s.bytes from drop_stock s where s.seller = :seller), 0)
      - coalesce((select size from drop_files f where f.seller = :seller and f.drop_id = :drop_id and f.filename = :filename), 0)
      + coalesce((select sum(l.bytes) from landing l), 0) as stock
  from of_drop`,
)

/** Reserves bytes. Deletes a landing that does not end after an hour, since its process was killed. */
const RESERVE = statement(
  'reserve-drop-landing',
  ['seller', 'drop_id', 'filename', 'landing_id', 'bytes'],
  `
  with stale as (
    delete from drop_landings where seller = :seller and until < now() and landing_id is distinct from :landing_id::bigint
  ), grown as (
    update drop_landings set bytes = :bytes, until = now() + interval '1 hour' where landing_id = :landing_id::bigint returning landing_id
  ), begun as (
    insert into drop_landings (seller, drop_id, filename, bytes, until)
      select :seller, :drop_id, :filename, :bytes, now() + interval '1 hour' where not exists (select from grown) returning landing_id
  )
  select landing_id::text from grown union all select landing_id::text from begun`,
)

/** Writes or replaces the row of a file, and ends its landing. */
const END = statement(
  'end-drop-landing',
  ['seller', 'drop_id', 'filename', 'landing_id', 'size'],
  `
  with ended as (delete from drop_landings where landing_id = :landing_id::bigint)
  insert into drop_files (seller, drop_id, filename, size) values (:seller, :drop_id, :filename, :size)
    on conflict (seller, drop_id, filename) do update set size = excluded.size, tag = null, sha256 = null, landed_at = now()`,
)

/** Deletes a landing. */
const ABANDON = statement('abandon-drop-landing', ['landing_id'], 'delete from drop_landings where landing_id = :landing_id::bigint')

/** Deletes the row of a file, unless it is the last of its drop. */
const FORGET = statement(
  'forget-drop-file',
  ['seller', 'drop_id', 'filename'],
  `delete from drop_files where seller = :seller and drop_id = :drop_id and filename = :filename
    and exists (select from drop_files o where o.seller = :seller and o.drop_id = :drop_id and o.filename <> :filename)`,
)

/** Sets a file's bytes to zero and keeps its row, so that its drop still counts. */
const EMPTY = statement(
  'empty-drop-file',
  ['seller', 'drop_id', 'filename'],
  'update drop_files set size = 0, tag = null, sha256 = null where seller = :seller and drop_id = :drop_id and filename = :filename',
)
