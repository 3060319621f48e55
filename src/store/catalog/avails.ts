import { sql } from 'kysely'
import type { Avail } from '../../contract/avail.ts'
import type { WeekRun } from '../../domain/discovery/weekSelection.ts'
import type { Database, Tx } from '../connection/database.ts'
import type { Reading } from '../connection/snapshot.ts'
import type { Publishing } from './publishLock.ts'

/** Avails of one statement: it is never long away from other requests, and its transaction is short. */
const AT_ONCE = 5_000

/** Merges avails by (product_id, period); what is as it was is not written again. */
export async function saveAvails(tx: Tx, seller: string, avails: readonly Avail[]): Promise<void> {
  for (let from = 0; from < avails.length; from += AT_ONCE) await saveBatch(tx, seller, avails.slice(from, from + AT_ONCE))
}

/** Merges most of many avails in short transactions, each visible as it is written; returns the last of them, which are left to `saveAvails`. */
export async function saveMostAvails(
  { seller, commit }: Pick<Publishing, 'seller' | 'commit'>,
  avails: readonly Avail[],
): Promise<readonly Avail[]> {
  let from = 0
  for (; avails.length - from > AT_ONCE; from += AT_ONCE) {
    const some = avails.slice(from, from + AT_ONCE)
    await commit((tx) => saveBatch(tx, seller, some))
  }
  return avails.slice(from)
}

async function saveBatch(tx: Tx, seller: string, avails: readonly Avail[]): Promise<void> {
  const column = (of: (avail: Avail) => string) => avails.map(of)
  await sql`
    insert into avails (seller, product_id, grain, start, state, body)
    select ${seller}, sent.product_id, sent.grain, sent.start, sent.state, sent.body::json
    from unnest(${column(({ product_id }) => product_id)}::text[], ${column(({ period }) => period.grain)}::text[],
      ${column(({ period }) => period.start)}::text[], ${column(({ state }) => state)}::text[],
      ${column((avail) => JSON.stringify(avail))}::text[]) as sent(product_id, grain, start, state, body)
    on conflict (seller, product_id, grain, start) do update
      set state = excluded.state, body = excluded.body, updated_at = now()
      where avails.body::text is distinct from excluded.body::text`.execute(tx)
}

// A day or month matches a run of weeks when it touches one: dates, weeks and months of one format sort as text.
const READ = {
  name: 'read-avails',
  text: `select body from avails a
    where seller = $1 and product_id = any($2::text[])
      and ($3::text[] is null or exists (
        select from unnest($3::text[], $4::text[], $5::text[], $6::text[]) as run(first, last, first_day, last_day)
        where case a.grain
          when 'day' then a.start between first_day and last_day
          when 'week' then a.start between first and last
          else a.start between left(first_day, 7) and left(last_day, 7) end))
    order by product_id, grain, start`,
}

/** The avails of some products as published, in any of the weeks or all of them; by product, grain, start. */
export async function readAvails(
  { pool }: Pick<Reading, 'pool'>,
  seller: string,
  productIds: readonly string[],
  weeks?: readonly WeekRun[],
): Promise<Avail[]> {
  const { rows } = await pool.query<{ body: Avail }>(READ, [
    seller,
    productIds,
    weeks?.map(({ from }) => from) ?? null,
    weeks?.map(({ to }) => to) ?? null,
    weeks?.map(({ first_day }) => first_day) ?? null,
    weeks?.map(({ last_day }) => last_day) ?? null,
  ])
  return rows.map(({ body }) => body)
}

/** Where a page of avails ended. */
export type AvailPosition = readonly [productId: string, grain: string, start: string]

const PAGE = {
  name: 'page-avails',
  text: `select body from avails
    where seller = $1 and ($2::text is null or (product_id, grain, start) > ($2, $3, $4)) and ($6::text is null or product_id = $6)
    order by product_id, grain, start limit $5`,
}

/** A seller's avails, page by page; of one product, or of all. */
export async function pageAvails(
  { pool }: Database,
  seller: string,
  { productId, after, limit }: { productId?: string | undefined; after: AvailPosition | undefined; limit: number },
): Promise<Avail[]> {
  const { rows } = await pool.query<{ body: Avail }>(PAGE, [seller, ...(after ?? [null, null, null]), limit, productId ?? null])
  return rows.map(({ body }) => body)
}
