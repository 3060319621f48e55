import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Avail } from '../../contract/avail.ts'
import { MERGE_AVAILS } from '../catalog/mergeAvails.ts'
import type { Publishing } from '../catalog/publishLock.ts'
import { isInForce } from '../catalog/unpublished.ts'
import { JOIN_BY_INDEX } from '../connection/joinByIndex.ts'
import { statement } from '../connection/statement.ts'
import type { DropKey } from './drops.ts'

/** Thrown when the catalog has changed since a slice was read: a product of it is counted differently, or is gone. */
export class SliceOutdated extends Error {
  override name = 'SliceOutdated'
}

/**
 * Merges a slice of avails within a transaction: COPY text with row, product_id, grain, start, state and body. Keeps an avail that was
 * published after the drop was registered. A drop's rows carry the time of its registration, so that drops and publishes have one order.
 * Throws SliceOutdated unless every product is counted as the slice counts it.
 */
export async function mergeAvails({ seller, client }: Pick<Publishing, 'seller' | 'client'>, run: DropKey, slice: Readable): Promise<void> {
  await pipeline(slice, client.query(copyFrom('copy drop_slice (row, product_id, grain, start, state, body) from stdin')))
  const { rows } = await client.query<{ outdated: boolean }>(OUTDATED.bind({ seller }))
  if (rows[0]?.outdated === true) throw new SliceOutdated('the catalog has changed since the slice was read')
  await client.query(JOIN_BY_INDEX)
  await client.query(MERGE.bind({ seller, drop_id: run.drop_id, run_no: run.run_no }))
}

/** Prepares a connection for slices. A temporary table costs half the CPU of a shared one; it is empty again after each transaction. */
export async function prepareSlices({ client }: Pick<Publishing, 'client'>): Promise<void> {
  const { rows } = await client.query(HAS_TABLE)
  if (rows[0].has_table !== true) await client.query(TABLE)
}

/** Returns the avails that a drop has written of products with open avails requests. */
export async function askedAvails(
  client: Pick<PoolClient, 'query'>,
  { seller, drop_id, run_no }: DropKey,
): Promise<Pick<Avail, 'product_id' | 'period'>[]> {
  const { rows } = await client.query<{ body: Avail }>(ASKED_AVAILS.bind({ seller, drop_id, run_no }))
  return rows.map(({ body }) => body)
}

const HAS_TABLE = { name: 'has-drop-slice', text: `select to_regclass('pg_temp.drop_slice') is not null as has_table` }

const TABLE = `create temporary table drop_slice (
  row bigint not null, product_id text not null, grain text not null, start text not null, state text not null, body json not null
) on commit delete rows`

const ASKED = `array(select product_id from avails_requests where seller = :seller and answered_at is null)`

/**
 * Tells whether a product of the slice is gone or counted differently: in units if sold only by guaranteed audience, else in spots. Checks
 * one row of each product, since a reader counts all of them alike.
 */
const OUTDATED = statement(
  'is-drop-slice-outdated',
  ['seller'],
  `select exists (
    select from (
      select product_id, body->'units' is not null as has_units, body->'spots' is not null as has_spots
      from drop_slice where ctid = any(array(select min(ctid) from drop_slice group by product_id))
    ) s left join products p on p.seller = :seller and p.product_id = s.product_id and ${isInForce('p', ':seller')}
    where p.product_id is null or has_units = has_spots
      or has_units <> ((p.body->'buy_types')::jsonb <@ '["audience_guaranteed"]'::jsonb)
  ) as outdated`,
)

/**
 * Merges the slice into the avails. Rewrites unchanged rows only for products with open requests, since the drop's end finds by their time
 * which avails it brought.
 */
const MERGE = statement(
  'merge-drop-slice',
  ['seller', 'drop_id', 'run_no'],
  MERGE_AVAILS(
    `select s.*, d.registered_at as as_of from drop_slice s, drops d
       where d.seller = :seller and d.drop_id = :drop_id and d.run_no = :run_no`,
    `a.product_id = any(${ASKED})`,
  ),
)

/** Reads the avails with the drop's time, of products with open requests. */
const ASKED_AVAILS = statement(
  'read-asked-drop-avails',
  ['seller', 'drop_id', 'run_no'],
  `select body from avails
    where seller = :seller and product_id = any(${ASKED})
      and updated_at = (select registered_at from drops where seller = :seller and drop_id = :drop_id and run_no = :run_no)`,
)
