import { sql } from 'kysely'
import type { Avail } from '../../contract/avail.ts'
import type { WeekRun } from '../../domain/discovery/weekSelection.ts'
import type { Database, Tx } from '../connection/database.ts'
import type { Reading } from '../connection/snapshot.ts'
import { statement } from '../connection/statement.ts'
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

/**
 * Writes avails that are new or have changed. While a file drop of the seller is open the others are written too: the drop leaves alone what was
 * published after it was registered.
 */
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
      where avails.body::text is distinct from excluded.body::text
        or (select exists (select from drops where seller = ${seller} and status = 'processing'))`.execute(tx)
}

/**
 * The avails of products, by product, grain, start; weeks that are null let all pass. A day or month matches a run of weeks when it touches one:
 * dates, weeks and months of one format sort as text.
 */
const READ = statement(
  'read-avails',
  ['seller', 'product_ids', 'first_weeks', 'last_weeks', 'first_days', 'last_days'],
  `select body from avails a
    where seller = :seller and product_id = any(:product_ids::text[])
      and (:first_weeks::text[] is null or exists (
        select from unnest(:first_weeks::text[], :last_weeks::text[], :first_days::text[], :last_days::text[]) as run(first, last, first_day, last_day)
        where case a.grain
          when 'day' then a.start between first_day and last_day
          when 'week' then a.start between first and last
          else a.start between left(first_day, 7) and left(last_day, 7) end))
    order by product_id, grain, start`,
)

/** The avails of some products as published, in any of the weeks or all of them; by product, grain, start. */
export async function readAvails(
  { pool }: Pick<Reading, 'pool'>,
  seller: string,
  productIds: readonly string[],
  weeks?: readonly WeekRun[],
): Promise<Avail[]> {
  const { rows } = await pool.query<{ body: Avail }>(
    READ.bind({
      seller,
      product_ids: productIds,
      first_weeks: weeks?.map(({ from }) => from) ?? null,
      last_weeks: weeks?.map(({ to }) => to) ?? null,
      first_days: weeks?.map(({ first_day }) => first_day) ?? null,
      last_days: weeks?.map(({ last_day }) => last_day) ?? null,
    }),
  )
  return rows.map(({ body }) => body)
}

/** Where a page of avails ended. */
export type AvailPosition = readonly [productId: string, grain: string, start: string]

/** A page of a seller's avails, of one product or of all, by product, grain, start. */
const PAGE = statement(
  'page-avails',
  ['seller', 'after_product_id', 'after_grain', 'after_start', 'limit', 'product_id'],
  `select body from avails
    where seller = :seller
      and (:after_product_id::text is null or (product_id, grain, start) > (:after_product_id, :after_grain, :after_start))
      and (:product_id::text is null or product_id = :product_id)
    order by product_id, grain, start limit :limit`,
)

/** A seller's avails, page by page; of one product, or of all. */
export async function pageAvails(
  { pool }: Database,
  seller: string,
  { productId, after, limit }: { productId?: string | undefined; after: AvailPosition | undefined; limit: number },
): Promise<Avail[]> {
  const { rows } = await pool.query<{ body: Avail }>(
    PAGE.bind({
      seller,
      after_product_id: after?.[0] ?? null,
      after_grain: after?.[1] ?? null,
      after_start: after?.[2] ?? null,
      limit,
      product_id: productId ?? null,
    }),
  )
  return rows.map(({ body }) => body)
}
