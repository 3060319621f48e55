import type { PoolClient } from 'pg'
import type { CreateHold, Hold } from '../../contract/hold.ts'
import type { KeyUsed, RequestKey } from '../../domain/requestKey.ts'
import type { Database } from '../connection/database.ts'
import { lockedTransaction } from '../connection/lockedTransaction.ts'
import { newId } from '../connection/newId.ts'
import { statement } from '../connection/statement.ts'
import { ASKING_MS, asHold, HOLD_COLUMNS, type HoldRow } from './holds.ts'

/** The most open holds of one buyer, in total and with one seller. */
export interface HoldBounds {
  readonly perBuyer: number
  readonly perSeller: number
}

export type Opened = { readonly hold: Hold } | { readonly used: KeyUsed } | { readonly bound: keyof HoldBounds }

type Pool = Pick<Database, 'pool'>

/**
 * Saves a hold and wakes its run, which ends it in time. An `asking` hold is invisible until the seller's API agrees. Opens the holds of
 * one buyer one after another, which enforces its bounds and keys.
 */
export async function openHold(
  { pool }: Pool,
  buyerEntity: string,
  request: CreateHold,
  status: 'held' | 'asking',
  { bounds, key }: { bounds: HoldBounds; key?: RequestKey | undefined },
): Promise<Opened> {
  return lockedTransaction(pool, LOCK.bind({ buyer: buyerEntity }), (client) => opening(client, buyerEntity, request, status, bounds, key))
}

async function opening(
  client: PoolClient,
  buyerEntity: string,
  request: CreateHold,
  status: 'held' | 'asking',
  bounds: HoldBounds,
  key: RequestKey | undefined,
): Promise<Opened> {
  const used = key && (await findKey(client, buyerEntity, key))
  if (used !== undefined) return { used }
  const { rows: counts } = await client.query<{ in_all: number; with_seller: number }>(
    STANDING.bind({ buyer: buyerEntity, seller: request.seller }),
  )
  const { in_all = 0, with_seller = 0 } = counts[0] ?? {}
  if (in_all >= bounds.perBuyer) return { bound: 'perBuyer' }
  if (with_seller >= bounds.perSeller) return { bound: 'perSeller' }
  const { rows } = await client.query<HoldRow>(
    OPEN.bind({
      hold_id: newId('hold_'),
      seller: request.seller,
      buyer: buyerEntity,
      status,
      lines: JSON.stringify(request.lines),
      ttl_minutes: request.ttl_minutes,
      at_seller: status === 'asking',
    }),
  )
  const hold = asHold(rows[0] as HoldRow)
  if (key !== undefined)
    await client.query(KEEP_KEY.bind({ buyer: buyerEntity, key: key.key, body_hash: key.body_hash, hold_id: hold.hold_id }))
  return { hold }
}

/** Returns what a key of this buyer has answered before; undefined if the key is new. */
export async function findHoldKey({ pool }: Pool, buyerEntity: string, key: RequestKey): Promise<KeyUsed | undefined> {
  return findKey(pool, buyerEntity, key)
}

async function findKey(
  client: Pick<PoolClient, 'query'>,
  buyerEntity: string,
  { key, body_hash }: RequestKey,
): Promise<KeyUsed | undefined> {
  const { rows } = await client.query<{ body_hash: Buffer; reply: string | null }>(
    FIND_KEY.bind({ buyer: buyerEntity, key, asking_seconds: ASKING_MS / 1_000 }),
  )
  const [row] = rows
  if (row === undefined) return undefined
  if (!row.body_hash.equals(body_hash)) return 'other_body'
  return row.reply === null ? 'under_way' : { reply: row.reply }
}

/** Stores the reply that a key replays from now on. Null deletes the key, so that a refused request may be sent again. */
export async function answerKey({ pool }: Pool, buyerEntity: string, key: string, reply: string | null): Promise<void> {
  if (reply === null) await pool.query(DROP_KEY.bind({ buyer: buyerEntity, key }))
  else await pool.query(ANSWER_KEY.bind({ buyer: buyerEntity, key, reply }))
}

/** Deletes up to `limit` keys that were used more than two days ago. Returns their number. */
export async function deleteOldHoldKeys({ pool }: Pool, limit: number): Promise<number> {
  return (await pool.query(FORGET_KEYS.bind({ limit }))).rowCount ?? 0
}

/** Takes the lock for opening one buyer's holds, until the transaction ends. */
const LOCK = statement('lock-holds', ['buyer'], `select pg_advisory_xact_lock(hashtextextended('holds:' || :buyer, 0))`)

/** Counts a buyer's holds against its bounds, in total and with one seller. */
const STANDING = statement(
  'count-holds',
  ['buyer', 'seller'],
  `select count(*)::int as in_all, (count(*) filter (where seller = :seller))::int as with_seller from holds
    where buyer_entity = :buyer and status in ('asking', 'held') and expires_at > now()`,
)

/** Writes a hold and wakes its run. Returns the hold. */
const OPEN = statement(
  'open-hold',
  ['hold_id', 'seller', 'buyer', 'status', 'lines', 'ttl_minutes', 'at_seller'],
  `with hold as (
      insert into holds (hold_id, seller, buyer_entity, status, lines, created_at, expires_at, at_seller)
      values (:hold_id, :seller, :buyer, :status, :lines, now(), now() + :ttl_minutes * interval '1 minute', :at_seller) returning ${HOLD_COLUMNS}
    ), woken as (
      insert into outbox (kind, target) select 'hold', hold_id from hold
    )
    select * from hold`,
)

/** Reads what a key was used for. A key is free again if its request ended without an answer. */
const FIND_KEY = statement(
  'find-hold-key',
  ['buyer', 'key', 'asking_seconds'],
  `select body_hash, reply from hold_keys
    where buyer_entity = :buyer and key = :key and (reply is not null or created_at > now() - :asking_seconds * interval '1 second')`,
)

/** Ties a key to the request in progress. */
const KEEP_KEY = statement(
  'keep-hold-key',
  ['buyer', 'key', 'body_hash', 'hold_id'],
  `insert into hold_keys (buyer_entity, key, body_hash, hold_id) values (:buyer, :key, :body_hash, :hold_id)
    on conflict (buyer_entity, key) do update set body_hash = :body_hash, hold_id = :hold_id, reply = null, created_at = now()`,
)

/** Stores the reply of a key. */
const ANSWER_KEY = statement(
  'answer-hold-key',
  ['buyer', 'key', 'reply'],
  'update hold_keys set reply = :reply where buyer_entity = :buyer and key = :key',
)

/** Frees a key that has no reply. */
const DROP_KEY = statement(
  'drop-hold-key',
  ['buyer', 'key'],
  'delete from hold_keys where buyer_entity = :buyer and key = :key and reply is null',
)

/** Deletes some keys that are older than two days. */
const FORGET_KEYS = statement(
  'forget-hold-keys',
  ['limit'],
  `delete from hold_keys where (buyer_entity, key) in (
      select buyer_entity, key from hold_keys where created_at < now() - interval '2 days' limit :limit
    )`,
)
