import type { PoolClient } from 'pg'
import type { CreateHold, Hold } from '../../contract/hold.ts'
import type { Database } from '../connection/database.ts'
import { newId } from '../connection/newId.ts'
import { ASKING_MS, asHold, HOLD_COLUMNS, type HoldRow } from './holds.ts'

/** How many holds of one buyer may stand, in all and with one seller. */
export interface HoldBounds {
  readonly perBuyer: number
  readonly perSeller: number
}

/** A buyer's own name for its request, and the hash of the body that came with it. */
export interface HoldKey {
  readonly key: string
  readonly body_hash: Buffer
}

/** What a key has answered before: its reply, that it came with another body, or that its first request is still under way. */
export type KeyUsed = { readonly reply: string } | 'other_body' | 'under_way'

export type Opened = { readonly hold: Hold } | { readonly used: KeyUsed } | { readonly bound: keyof HoldBounds }

type Pool = Pick<Database, 'pool'>

/**
 * Keeps a hold and wakes its run, which ends it in time. `asking`: the seller's API has yet to agree, and nobody sees the hold before. One buyer's
 * holds are opened one after another, so that its bounds and keys hold.
 */
export async function openHold(
  { pool }: Pool,
  buyerEntity: string,
  ask: CreateHold,
  status: 'held' | 'asking',
  { bounds, key }: { bounds: HoldBounds; key?: HoldKey | undefined },
): Promise<Opened> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query({ ...LOCK, values: [buyerEntity] })
    const opened = await opening(client, buyerEntity, ask, status, bounds, key)
    await client.query('commit')
    client.release()
    return opened
  } catch (error) {
    client.release(true)
    throw error
  }
}

async function opening(
  client: PoolClient,
  buyerEntity: string,
  ask: CreateHold,
  status: 'held' | 'asking',
  bounds: HoldBounds,
  key: HoldKey | undefined,
): Promise<Opened> {
  const used = key && (await findKey(client, buyerEntity, key))
  if (used !== undefined) return { used }
  const { rows: counts } = await client.query<{ in_all: number; with_seller: number }>({ ...STANDING, values: [buyerEntity, ask.seller] })
  const { in_all = 0, with_seller = 0 } = counts[0] ?? {}
  if (in_all >= bounds.perBuyer) return { bound: 'perBuyer' }
  if (with_seller >= bounds.perSeller) return { bound: 'perSeller' }
  const values = [newId('hold_'), ask.seller, buyerEntity, status, JSON.stringify(ask.lines), ask.ttl_minutes, status === 'asking']
  const { rows } = await client.query<HoldRow>({ ...OPEN, values })
  const hold = asHold(rows[0] as HoldRow)
  if (key !== undefined) await client.query({ ...KEEP_KEY, values: [buyerEntity, key.key, key.body_hash, hold.hold_id] })
  return { hold }
}

/** What a key of this buyer has answered before; undefined when it is new. */
export async function findHoldKey({ pool }: Pool, buyerEntity: string, key: HoldKey): Promise<KeyUsed | undefined> {
  return findKey(pool, buyerEntity, key)
}

async function findKey(client: Pick<PoolClient, 'query'>, buyerEntity: string, { key, body_hash }: HoldKey): Promise<KeyUsed | undefined> {
  const values = [buyerEntity, key, ASKING_MS / 1_000]
  const { rows } = await client.query<{ body_hash: Buffer; reply: string | null }>({ ...FIND_KEY, values })
  const [row] = rows
  if (row === undefined) return undefined
  if (!row.body_hash.equals(body_hash)) return 'other_body'
  return row.reply === null ? 'under_way' : { reply: row.reply }
}

/** Keeps what a key answers from now on; null forgets the key: what was refused is asked again. */
export async function answerKey({ pool }: Pool, buyerEntity: string, key: string, reply: string | null): Promise<void> {
  if (reply === null) await pool.query({ ...DROP_KEY, values: [buyerEntity, key] })
  else await pool.query({ ...ANSWER_KEY, values: [buyerEntity, key, reply] })
}

/** Forgets up to `limit` keys that were used more than two days ago; answers how many. */
export async function forgetHoldKeys({ pool }: Pool, limit: number): Promise<number> {
  return (await pool.query({ ...FORGET_KEYS, values: [limit] })).rowCount ?? 0
}

const LOCK = { name: 'lock-holds', text: `select pg_advisory_xact_lock(hashtextextended('holds:' || $1, 0))` }

const STANDING = {
  name: 'count-holds',
  text: `select count(*)::int as in_all, (count(*) filter (where seller = $2))::int as with_seller from holds
    where buyer_entity = $1 and status in ('asking', 'held') and expires_at > now()`,
}

const OPEN = {
  name: 'open-hold',
  text: `with hold as (
      insert into holds (hold_id, seller, buyer_entity, status, lines, created_at, expires_at, at_seller)
      values ($1, $2, $3, $4, $5, now(), now() + $6 * interval '1 minute', $7) returning ${HOLD_COLUMNS}
    ), woken as (
      insert into outbox (kind, target) select 'hold', hold_id from hold
    )
    select * from hold`,
}

// One whose asker died before it had an answer is free again.
const FIND_KEY = {
  name: 'find-hold-key',
  text: `select body_hash, reply from hold_keys
    where buyer_entity = $1 and key = $2 and (reply is not null or created_at > now() - $3 * interval '1 second')`,
}

const KEEP_KEY = {
  name: 'keep-hold-key',
  text: `insert into hold_keys (buyer_entity, key, body_hash, hold_id) values ($1, $2, $3, $4)
    on conflict (buyer_entity, key) do update set body_hash = $3, hold_id = $4, reply = null, created_at = now()`,
}

const ANSWER_KEY = { name: 'answer-hold-key', text: 'update hold_keys set reply = $3 where buyer_entity = $1 and key = $2' }

const DROP_KEY = { name: 'drop-hold-key', text: 'delete from hold_keys where buyer_entity = $1 and key = $2 and reply is null' }

const FORGET_KEYS = {
  name: 'forget-hold-keys',
  text: `delete from hold_keys where (buyer_entity, key) in (
      select buyer_entity, key from hold_keys where created_at < now() - interval '2 days' limit $1
    )`,
}
