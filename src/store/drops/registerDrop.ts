import type { PoolClient } from 'pg'
import type { DropResult, DropWarning, Manifest } from '../../contract/drop.ts'
import { replayedResult } from '../../domain/drops/dropResult.ts'
import type { Database } from '../connection/database.ts'
import { lockedTransaction, lockOn } from '../connection/lockedTransaction.ts'
import { statement } from '../connection/statement.ts'
import { mayPassNow, type NamedMapping } from './checkedAgain.ts'
import { DROP_COLUMNS, type DropKey, type DropRow, type DropRun, type DropRunFile, runOf } from './drops.ts'
import { endManifest, isManifestOpen, type LandedManifest } from './landedManifests.ts'

/** A manifest whose files have landed and match it. */
export interface NewDrop {
  readonly drop_id: string
  readonly schema_version: string
  readonly effective: Manifest['effective']
  readonly files: readonly DropRunFile[]
  /** A hash over the files' sha256: drops with the same identity have the same bytes. */
  readonly identity: string
  readonly reprocess: boolean
  /** The hash of the manifest; requests with the same one are repeats. */
  readonly manifest_sha256: string
  readonly warnings: readonly DropWarning[]
  /** The manifest.json that registers the drop, if there is one. */
  readonly landed?: LandedManifest | undefined
}

/**
 * The outcome of a registration: a run to work on; the original whose result is replayed, with the new run that shows it unless the drop
 * already shows it; or the seconds until the seller may register another.
 */
export type Registered =
  | { readonly run: DropRun }
  | { readonly original: DropRun; readonly replay: DropKey | undefined }
  | { readonly retryAfter: number }

/**
 * Registers a run, and wakes it. Registers a seller's drops one after another, so that of two concurrent ones with the same files, one
 * replays the other. `perDay` bounds a seller's registrations in any 24 hours; 0 means no bound. A manifest.json registers only one run,
 * however often it is checked: the same transaction removes it.
 */
export async function registerDrop({ pool }: Pick<Database, 'pool'>, seller: string, drop: NewDrop, perDay: number): Promise<Registered> {
  return lockedTransaction(pool, lockOn(`drops:${seller}`), async (client): Promise<Registered> => {
    const newest = await newestRun(client, seller, drop.drop_id)
    if (newest !== undefined && drop.landed !== undefined && !(await isManifestOpen(client, drop.landed)))
      return { original: runOf(newest), replay: undefined }
    const repeated = drop.reprocess && drop.landed === undefined ? await findRepeated({ pool: client }, seller, drop) : undefined
    if (repeated !== undefined) return { original: repeated, replay: undefined }
    const original = drop.reprocess ? undefined : await findOriginal(client, seller, drop.identity, drop.files)
    if (original !== undefined && newest !== undefined && shows(newest, original)) return { original: runOf(original), replay: undefined }
    const retryAfter = await secondsToWait(client, seller, perDay)
    if (retryAfter !== undefined) return { retryAfter }
    const run = await insert(client, seller, drop, (newest?.run_no ?? 0) + 1, original)
    if (drop.landed !== undefined) await endManifest({ pool: client }, drop.landed)
    return original === undefined ? { run } : { original: runOf(original), replay: run }
  })
}

/** Finds a drop's original without reading its files, if the drop already shows it. */
export async function findReplayed(
  { pool }: Pick<Database, 'pool'>,
  seller: string,
  dropId: string,
  identity: string,
  files: readonly NamedMapping[],
): Promise<DropRun | undefined> {
  const original = await findOriginal(pool, seller, identity, files)
  const newest = await newestRun(pool, seller, dropId)
  return original !== undefined && newest !== undefined && shows(newest, original) ? runOf(original) : undefined
}

/** Finds the open run of a repeated request. */
export async function findRepeated(
  { pool }: { pool: Client },
  seller: string,
  { drop_id, manifest_sha256 }: Pick<NewDrop, 'drop_id' | 'manifest_sha256'>,
): Promise<DropRun | undefined> {
  const { rows } = await pool.query<DropRow>(REPEATED.bind({ seller, drop_id, manifest_sha256 }))
  return rows[0] && runOf(rows[0])
}

type Client = Pick<PoolClient, 'query'>
type Original = DropRow & { result: string | null; is_outdated: boolean }

/**
 * Finds the run whose result files of these bytes replay: the newest one, unless a later drop has replaced, or may replace, its rows, or rows
 * that it refused may pass now.
 */
async function findOriginal(
  client: Client,
  seller: string,
  identity: string,
  files: readonly NamedMapping[],
): Promise<Original | undefined> {
  const [newest] = (await client.query<Original>(ORIGINAL.bind({ seller, identity }))).rows
  return newest === undefined || newest.is_outdated || (await mayPassNow(client, newest, files)) ? undefined : newest
}

async function newestRun(client: Client, seller: string, dropId: string): Promise<DropRow | undefined> {
  return (await client.query<DropRow>(NEWEST.bind({ seller, drop_id: dropId }))).rows[0]
}

/** Returns true if a run is the original itself or a replay of it. */
function shows(run: DropRow, original: DropRow): boolean {
  if (run.drop_id === original.drop_id && run.run_no === original.run_no) return true
  return run.replay_of_drop_id === original.drop_id && run.replay_of_run_no === original.run_no
}

/** Returns the seconds until a seller may register another run; undefined if it may now. */
export async function secondsToWait(client: Client, seller: string, perDay: number): Promise<number | undefined> {
  if (perDay === 0) return undefined
  const { rows } = await client.query<{ seconds: number }>(WAIT.bind({ seller, earlier: perDay - 1 }))
  return rows[0] && Math.max(rows[0].seconds, 1)
}

/** Inserts a run. A replay of an ended run ends at once, with the result under its own name. */
async function insert(client: Client, seller: string, drop: NewDrop, run_no: number, original: Original | undefined): Promise<DropRun> {
  const registered_at = new Date().toISOString()
  const { rows } = await client.query<DropRow>(
    INSERT.bind({
      ...{ seller, run_no, registered_at, drop_id: drop.drop_id, schema_version: drop.schema_version, identity: drop.identity },
      manifest_sha256: drop.manifest_sha256,
      effective: drop.effective === undefined ? null : JSON.stringify(drop.effective),
      files: JSON.stringify(drop.files),
      warnings: JSON.stringify(original?.warnings ?? drop.warnings),
      replay_of_drop_id: original?.drop_id ?? null,
      replay_of_run_no: original?.run_no ?? null,
      result: original?.result == null ? null : resultOf(original.result, { drop_id: drop.drop_id, registered_at }),
    }),
  )
  return runOf(rows[0] as DropRow)
}

function resultOf(original: string, own: Pick<DropResult, 'drop_id' | 'registered_at'>): string {
  return JSON.stringify(replayedResult(JSON.parse(original), own))
}

const HAS_POSTS = (drop: string) => `exists (select from json_array_elements(${drop}.files) f where f->>'type' = 'delivery_posts')`

/**
 * Reads the newest run of an identity that has or had its own work, or no row. It is outdated if rows of its delivery posts are replaced, or
 * may be by a later drop in progress.
 */
const ORIGINAL = statement(
  'find-original-drop',
  ['seller', 'identity'],
  `select ${DROP_COLUMNS}, result, is_replaced or (${HAS_POSTS('drops')} and exists (
      select from drops later where later.seller = drops.seller and later.registration > drops.registration
        and later.status = 'processing' and later.replay_of_drop_id is null and ${HAS_POSTS('later')}
    )) as is_outdated
    from drops where seller = :seller and identity = :identity and replay_of_drop_id is null
    order by drops.registration desc limit 1`,
)

/** Reads the newest run of a drop, or no row. */
const NEWEST = statement(
  'find-newest-drop',
  ['seller', 'drop_id'],
  `select ${DROP_COLUMNS} from drops where seller = :seller and drop_id = :drop_id order by run_no desc limit 1`,
)

/** Reads the newest open run of a drop with this manifest, or no row. */
const REPEATED = statement(
  'find-repeated-drop',
  ['seller', 'drop_id', 'manifest_sha256'],
  `select ${DROP_COLUMNS} from drops
    where seller = :seller and drop_id = :drop_id and manifest_sha256 = :manifest_sha256 and status = 'processing' order by run_no desc limit 1`,
)

/** Reads the seconds until a seller that has used up its 24 hours' share may register again; no row if it may now. */
const WAIT = statement(
  'wait-for-drop',
  ['seller', 'earlier'],
  `select ceil(extract(epoch from registered_at + interval '1 day' - now()))::int as seconds from (
      select registered_at from drops where seller = :seller order by registration desc offset :earlier limit 1
    ) earlier
    where registered_at > now() - interval '1 day'`,
)

/** SQL: the mappings in force for the types of the files. */
const IN_FORCE = `select json_agg(json_build_object('name', m.name, 'version', m.version) order by m.name) from drop_mappings m
        where m.seller = :seller and m.is_current and m.type in (select f->>'type' from json_array_elements(:files::json) f)`

/** Inserts a run and its outbox row. A replay of an ended run copies the end of that run. Returns the run. */
const INSERT = statement(
  'insert-drop',
  [
    ...['seller', 'drop_id', 'run_no', 'registered_at', 'schema_version', 'effective', 'files', 'identity', 'warnings', 'manifest_sha256'],
    ...['replay_of_drop_id', 'replay_of_run_no', 'result'],
  ],
  `
  with inserted as (
    insert into drops (seller, drop_id, run_no, registered_at, schema_version, effective, files, identity, warnings, manifest_sha256, mappings, mapped,
      replay_of_drop_id, replay_of_run_no, result, status, stage, ended_at, rows_written, rows_rejected, counts, error_count)
    select :seller, :drop_id, :run_no, :registered_at, :schema_version, :effective, :files, :identity, :warnings, :manifest_sha256,
      coalesce((${IN_FORCE}), '[]'), coalesce(o.mapped, '[]'), :replay_of_drop_id, :replay_of_run_no, :result, coalesce(o.status, 'processing'), coalesce(o.stage, 'fetch'), o.ended_at,
      coalesce(o.rows_written, 0), coalesce(o.rows_rejected, 0), coalesce(o.counts, '{}'), coalesce(o.error_count, 0)
    from (select) one left join drops o
      on o.seller = :seller and o.drop_id = :replay_of_drop_id and o.run_no = :replay_of_run_no and o.ended_at is not null
    returning ${DROP_COLUMNS}
  ), woken as (
    insert into outbox (kind, target) select 'drop', seller || '/' || drop_id from inserted where replay_of_drop_id is null
  )
  select * from inserted`,
)
