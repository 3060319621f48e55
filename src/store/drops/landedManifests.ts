import type { WaitingManifest } from '../../domain/drops/dropResult.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/** The manifests that have landed as files. Each is checked until it is registered or refused, by one worker at a time. */

type Pool = Pick<Database, 'pool'>

export interface LandedManifest {
  readonly seller: string
  readonly drop_id: string
  /** The tag of the landing that was seen; another landing is checked from the start. */
  readonly tag: string
}

export interface ClaimedManifest extends LandedManifest, Pick<WaitingManifest, 'first_seen_at'> {
  /** The seconds since it was first seen. */
  readonly waited: number
}

/** The most waiting manifests per seller. A later walk finds further ones again. */
const WAITING = 1_000

/** Records manifests of a seller that have landed, unless they are already recorded. */
export async function noteManifests({ pool }: Pool, seller: string, found: readonly Omit<LandedManifest, 'seller'>[]): Promise<void> {
  if (found.length === 0) return
  const [drop_ids, tags] = [found.map(({ drop_id }) => drop_id), found.map(({ tag }) => tag)]
  await pool.query(NOTE.bind({ seller, drop_ids, tags, max: WAITING }))
}

/** Returns sellers with manifests that are due to be checked. */
export async function dueSellers({ pool }: Pool, limit: number): Promise<string[]> {
  return (await pool.query<{ seller: string }>(DUE.bind({ limit }))).rows.map(({ seller }) => seller)
}

/** Claims the longest-waiting manifest of a seller for a minute; undefined if none is due. */
export async function claimManifest({ pool }: Pool, seller: string): Promise<ClaimedManifest | undefined> {
  return (await pool.query<ClaimedManifest>(CLAIM.bind({ seller }))).rows[0]
}

/** Schedules another check of a manifest, and tells its seller what it waits for. */
export async function lookLater(
  { pool }: Pool,
  { seller, drop_id, tag }: LandedManifest,
  { seconds, waits_for, errors }: Wait,
): Promise<void> {
  await pool.query(LATER.bind({ seller, drop_id, tag, seconds, waits_for, errors: JSON.stringify(errors) }))
}

export interface Wait extends Pick<WaitingManifest, 'errors'> {
  readonly seconds: number
  readonly waits_for: NonNullable<WaitingManifest['waits_for']>
}

type Client = Pick<Database['pool'], 'query'>

/** Removes a manifest that is registered or gone. */
export async function endManifest({ pool }: { pool: Client }, { seller, drop_id, tag }: LandedManifest): Promise<void> {
  await pool.query(END.bind({ seller, drop_id, tag }))
}

/** Returns true if nobody has registered, refused or replaced the manifest since it was claimed. */
export async function isManifestOpen(client: Client, { seller, drop_id, tag }: LandedManifest): Promise<boolean> {
  return (await client.query(OPEN.bind({ seller, drop_id, tag }))).rowCount === 1
}

/** Returns up to `limit` waiting manifests of a seller, of all drops or of one, latest landing first. */
export async function waitingManifests(
  { pool }: Pool,
  seller: string,
  { dropId, limit }: { dropId?: string; limit: number },
): Promise<WaitingManifest[]> {
  return (await pool.query<WaitingManifest>(WAITING_OF.bind({ seller, drop_id: dropId ?? null, limit }))).rows
}

/** Makes one worker the walker of the store, or extends its turn by some seconds. Returns whether it is the walker. */
export async function holdWatch({ pool }: Pool, watcher: string): Promise<boolean> {
  return (await pool.query(HOLD.bind({ watcher }))).rowCount === 1
}

/** Lets another worker walk through the store immediately. */
export async function releaseWatch({ pool }: Pool, watcher: string): Promise<void> {
  await pool.query(RELEASE.bind({ watcher }))
}

/** Returns every seller, in a stable order. */
export async function sellersToWatch({ pool }: Pool): Promise<string[]> {
  return (await pool.query<{ seller: string }>(SELLERS.bind({}))).rows.map(({ seller }) => seller)
}

/** Writes manifests that are new or replaced. */
const NOTE = statement(
  'note-landed-manifests',
  ['seller', 'drop_ids', 'tags', 'max'],
  `insert into landed_manifests (seller, drop_id, tag)
    select :seller, f.drop_id, f.tag from unnest(:drop_ids::text[], :tags::text[]) as f (drop_id, tag)
    where not exists (select from landed_manifests m where m.seller = :seller and m.drop_id = f.drop_id and m.tag = f.tag)
    limit greatest(0, :max - (select count(*) from landed_manifests m where m.seller = :seller and not m.is_done))
    on conflict (seller, drop_id) do update
      set tag = excluded.tag, first_seen_at = now(), look_at = now(), is_done = false, waits_for = null, errors = '[]'
      where landed_manifests.tag <> excluded.tag`,
)

/** Finds sellers with due manifests, the longest waiting first. */
const DUE = statement(
  'due-manifest-sellers',
  ['limit'],
  `select seller from landed_manifests where not is_done and look_at <= now() group by seller order by min(look_at) limit :limit`,
)

/** Claims at most one row. */
const CLAIM = statement(
  'claim-manifest',
  ['seller'],
  `update landed_manifests set look_at = now() + interval '1 minute' where (seller, drop_id) in (
      select seller, drop_id from landed_manifests where seller = :seller and not is_done and look_at <= now()
      order by look_at limit 1 for update skip locked
    )
    returning seller, drop_id, tag, first_seen_at, extract(epoch from now() - first_seen_at)::float8 as waited`,
)

/** Sets when a manifest is checked again and what it waits for, unless it has been replaced. */
const LATER = statement(
  'look-later-at-manifest',
  ['seller', 'drop_id', 'tag', 'seconds', 'waits_for', 'errors'],
  `update landed_manifests set look_at = now() + :seconds * interval '1 s', waits_for = :waits_for, errors = :errors
    where seller = :seller and drop_id = :drop_id and tag = :tag and not is_done`,
)

/** Ends the checks of a manifest, unless it has been replaced. */
const END = statement(
  'end-manifest',
  ['seller', 'drop_id', 'tag'],
  'update landed_manifests set is_done = true where seller = :seller and drop_id = :drop_id and tag = :tag',
)

/** Returns one row while a manifest is still to be checked. */
const OPEN = statement(
  'is-manifest-open',
  ['seller', 'drop_id', 'tag'],
  'select from landed_manifests where seller = :seller and drop_id = :drop_id and tag = :tag and not is_done',
)

/** Reads a seller's waiting manifests. */
const WAITING_OF = statement(
  'waiting-manifests',
  ['seller', 'drop_id', 'limit'],
  `select drop_id, waits_for, errors, first_seen_at from landed_manifests
    where seller = :seller and not is_done and (:drop_id::text is null or drop_id = :drop_id)
    order by first_seen_at desc, drop_id limit :limit`,
)

/** Changes the one row, unless another worker holds it. */
const HOLD = statement(
  'hold-drop-watch',
  ['watcher'],
  `insert into drop_watch (watcher, until) values (:watcher, now() + interval '30 s')
    on conflict (is_one) do update set watcher = excluded.watcher, until = excluded.until
      where drop_watch.watcher = excluded.watcher or drop_watch.until < now()`,
)

/** Removes the row of a worker. */
const RELEASE = statement('release-drop-watch', ['watcher'], 'delete from drop_watch where watcher = :watcher')

/** Reads all sellers. */
const SELLERS = statement('sellers-to-watch', [], 'select seller from sellers order by seller')
