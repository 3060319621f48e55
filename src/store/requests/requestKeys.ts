import type { KeyUsed, RequestKey } from '../../domain/requestKey.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import type { SecretBox } from '../tenants/secrets.ts'

type Pool = Pick<Database, 'pool'>

/** What a key is of: each operation of a tenant has its own keys. */
export interface KeyPlace {
  readonly tenant: string
  readonly operation: string
}

/** The most keys of a tenant, each of which is kept for two days. */
export const KEYS_PER_TENANT = 10_000
/** How long a key is kept, in seconds. */
export const KEPT_SECONDS = 2 * 86_400
/** After so many seconds without a reply the process of a request is gone, and the request may be sent again. */
const UNDER_WAY_SECONDS = 120

/**
 * Ties a key to the request that begins. Returns what the key was used for if it was, and `too many` if the tenant has as many keys as it
 * may.
 */
export async function claimKey(
  { pool }: Pool,
  box: SecretBox,
  place: KeyPlace,
  { key, body_hash }: RequestKey,
): Promise<KeyUsed | 'too many' | undefined> {
  const bound = { ...place, key, body_hash, max: KEYS_PER_TENANT, under_way_seconds: UNDER_WAY_SECONDS }
  if ((await pool.query(CLAIM.bind(bound))).rowCount === 1) return undefined
  const { rows } = await pool.query<{ body_hash: Buffer; reply: Buffer | null }>(FIND.bind({ ...place, key }))
  const [row] = rows
  if (row === undefined) return 'too many'
  if (!row.body_hash.equals(body_hash)) return 'other_body'
  if (row.reply === null) return 'under_way'
  const reply = box.open(row.reply, placeOf(place, key))
  return reply === undefined ? 'unreadable' : { reply }
}

/** Stores the reply that a key replays from now on. Undefined frees the key, so that a refused request may be sent again. */
export async function resolveKey({ pool }: Pool, box: SecretBox, place: KeyPlace, key: string, reply: string | undefined): Promise<void> {
  if (reply === undefined) await pool.query(FREE.bind({ ...place, key }))
  else await pool.query(ANSWER.bind({ ...place, key, reply: box.seal(reply, placeOf(place, key)) }))
}

/** Deletes up to `limit` keys that were used more than two days ago. Returns their number. */
export async function deleteOldRequestKeys({ pool }: Pool, limit: number): Promise<number> {
  return (await pool.query(FORGET.bind({ limit, kept_seconds: KEPT_SECONDS }))).rowCount ?? 0
}

function placeOf({ tenant, operation }: KeyPlace, key: string): string {
  return JSON.stringify(['request_keys', tenant, operation, key])
}

/** Writes a key, or takes over one whose request ended without an answer. Affects a row if the caller may carry out its request. */
const CLAIM = statement(
  'claim-request-key',
  ['tenant', 'operation', 'key', 'body_hash', 'max', 'under_way_seconds'],
  `insert into request_keys (tenant, operation, key, body_hash)
    select :tenant, :operation, :key, :body_hash
    where (select count(*) from (select from request_keys where tenant = :tenant limit :max) held) < :max
      or exists (select from request_keys where tenant = :tenant and operation = :operation and key = :key)
    on conflict (tenant, operation, key) do update set body_hash = excluded.body_hash, created_at = now()
      where request_keys.reply is null and request_keys.created_at < now() - :under_way_seconds * interval '1 second'`,
)

/** Reads what a key was used for. */
const FIND = statement(
  'find-request-key',
  ['tenant', 'operation', 'key'],
  'select body_hash, reply from request_keys where tenant = :tenant and operation = :operation and key = :key',
)

/** Stores the reply of a key. */
const ANSWER = statement(
  'answer-request-key',
  ['tenant', 'operation', 'key', 'reply'],
  'update request_keys set reply = :reply where tenant = :tenant and operation = :operation and key = :key',
)

/** Frees a key that has no reply. */
const FREE = statement(
  'free-request-key',
  ['tenant', 'operation', 'key'],
  'delete from request_keys where tenant = :tenant and operation = :operation and key = :key and reply is null',
)

/** Deletes some keys that are older than they are kept. */
const FORGET = statement(
  'forget-request-keys',
  ['limit', 'kept_seconds'],
  `delete from request_keys where (tenant, operation, key) in (
      select tenant, operation, key from request_keys where created_at < now() - :kept_seconds * interval '1 second' limit :limit
    )`,
)
