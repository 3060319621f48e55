import type { Avail } from '../../contract/avail.ts'
import type { Grain } from '../../contract/vocabulary.ts'
import type { WeekRun } from '../../domain/discovery/weekSelection.ts'
import { batches } from '../connection/batches.ts'
import { arraysOf, JSON_TEXT, namesOf, valuesOf } from '../connection/columns.ts'
import type { Database, Tx } from '../connection/database.ts'
import type { Reading } from '../connection/snapshot.ts'
import { statement } from '../connection/statement.ts'
import { runOn } from '../connection/txOn.ts'
import { MERGE_AVAILS } from './mergeAvails.ts'
import type { Publishing } from './publishLock.ts'

/** Avails per statement: few enough that other requests wait only briefly, and the transaction stays short. */
const BATCH = 5_000

/** Merges avails by (product_id, period); an unchanged avail is not written again. */
export async function saveAvails(tx: Tx, seller: string, avails: readonly Avail[]): Promise<void> {
  for (const some of batches(rowsOf(avails), BATCH)) await saveBatch(tx, seller, some)
}

/** Merges most of many avails in short transactions, each visible once it commits. Returns the rest, which `saveAvails` must write. */
export async function saveMostAvails(
  { seller, commit }: Pick<Publishing, 'seller' | 'commit'>,
  avails: readonly Avail[],
): Promise<readonly Avail[]> {
  let written = 0
  for (const some of batches(rowsOf(avails), BATCH)) {
    if (written + some.length === avails.length) break
    await commit((tx) => saveBatch(tx, seller, some))
    written += some.length
  }
  return avails.slice(written)
}

const COLUMNS = { product_id: 'text', grain: 'text', start: 'text', state: 'text', body: JSON_TEXT } as const
type Row = Readonly<Record<keyof typeof COLUMNS, string>>

function* rowsOf(avails: readonly Avail[]): Generator<Row> {
  for (const avail of avails) {
    const { product_id, period, state } = avail
    yield { product_id, grain: period.grain, start: period.start, state, body: JSON.stringify(avail) }
  }
}

async function saveBatch(tx: Tx, seller: string, rows: readonly Row[]): Promise<void> {
  await runOn(tx, SAVE.bind({ seller, ...valuesOf(COLUMNS, rows) }))
}

/**
 * Writes avails that are new or have changed. While a file drop of the seller is open it writes the unchanged ones too, since the drop
 * does not overwrite what was published after it was registered.
 */
const SAVE = statement(
  'save-avails',
  ['seller', ...namesOf(COLUMNS)],
  MERGE_AVAILS(
    `select product_id, grain, start, state, body::json as body, null::timestamptz as as_of
       from unnest(${arraysOf(COLUMNS)}) as put(${namesOf(COLUMNS).join(', ')})`,
    `(select exists (select from drops where seller = :seller and status = 'processing'))`,
  ),
)

const WEEK_FILTERS = ['first_weeks', 'last_weeks', 'first_days', 'last_days'] as const
/** Matches everything if the weeks are null. A day or month matches a run of weeks that it touches: periods of a format sort as text. */
const IN_WEEKS = `(:first_weeks::text[] is null or exists (
        select from unnest(:first_weeks::text[], :last_weeks::text[], :first_days::text[], :last_days::text[]) as run(first, last, first_day, last_day)
        where case a.grain
          when 'day' then a.start between first_day and last_day
          when 'week' then a.start between first and last
          else a.start between left(first_day, 7) and left(last_day, 7) end))`

/** Reads the avails of products, by product, grain, start. */
const READ = statement(
  'read-avails',
  ['seller', 'product_ids', ...WEEK_FILTERS, 'max'],
  `select body from avails a where seller = :seller and product_id = any(:product_ids::text[]) and ${IN_WEEKS}
    order by product_id, grain, start limit :max`,
)

/** Reads a product's next avails in one grain, by start. */
const READ_GRAIN = statement(
  'read-avails-of-grain',
  ['seller', 'product_id', 'grain', 'after', ...WEEK_FILTERS, 'max'],
  `select body from avails a where seller = :seller and product_id = :product_id and grain = :grain and start > :after and ${IN_WEEKS}
    order by start limit :max`,
)

/** Returns the published avails of some products, in any of the weeks or in all, by product, grain, start, up to a limit. */
export async function readAvails(
  { pool }: Pick<Reading, 'pool'>,
  seller: string,
  productIds: readonly string[],
  { weeks, max }: { weeks?: readonly WeekRun[] | undefined; max: number },
): Promise<Avail[]> {
  const { rows } = await pool.query<{ body: Avail }>(READ.bind({ seller, product_ids: productIds, ...runsOf(weeks), max }))
  return rows.map(({ body }) => body)
}

/** Returns the next avails of one product and grain after a start. */
export async function readAvailsOfGrain(
  { pool }: Pick<Reading, 'pool'>,
  seller: string,
  { productId, grain, after }: { productId: string; grain: Grain; after: string },
  { weeks, max }: { weeks?: readonly WeekRun[] | undefined; max: number },
): Promise<Avail[]> {
  const place = { product_id: productId, grain, after }
  const { rows } = await pool.query<{ body: Avail }>(READ_GRAIN.bind({ seller, ...place, ...runsOf(weeks), max }))
  return rows.map(({ body }) => body)
}

function runsOf(weeks: readonly WeekRun[] | undefined) {
  return {
    first_weeks: weeks?.map(({ from }) => from) ?? null,
    last_weeks: weeks?.map(({ to }) => to) ?? null,
    first_days: weeks?.map(({ first_day }) => first_day) ?? null,
    last_days: weeks?.map(({ last_day }) => last_day) ?? null,
  }
}

/** The position at which a page of avails ended. */
export type AvailPosition = readonly [productId: string, grain: string, start: string]

/** Reads a page of a seller's avails, of one product or of all, by product, grain, start. */
const PAGE = statement(
  'page-avails',
  ['seller', 'after_product_id', 'after_grain', 'after_start', 'limit', 'product_id'],
  `select body from avails
    where seller = :seller
      and (:after_product_id::text is null or (product_id, grain, start) > (:after_product_id, :after_grain, :after_start))
      and (:product_id::text is null or product_id = :product_id)
    order by product_id, grain, start limit :limit`,
)

/** The most avails that one page with filters scans. */
const SCAN = 20_000

/** Reads a page of the avails that filters select, from the next of all. `ends` is where the scan ended; null if there are no more. */
const SELECTED = statement(
  'page-selected-avails',
  ['seller', 'after_product_id', 'after_grain', 'after_start', 'limit', 'product_id', 'grain', 'scan', ...WEEK_FILTERS],
  `with a as materialized (
      select product_id, grain, start from avails
      where seller = :seller
        and (:after_product_id::text is null or (product_id, grain, start) > (:after_product_id, :after_grain, :after_start))
        and (:product_id::text is null or product_id = :product_id)
      order by product_id, grain, start limit :scan
    ), picked as (
      select * from a where (:grain::text is null or grain = :grain) and ${IN_WEEKS} order by product_id, grain, start limit :limit
    ), ending as (
      select array[product_id, grain, start] as place, count(*) over ()::int as scanned from a order by product_id desc, grain desc, start desc limit 1
    )
    select (select body from avails b where b.seller = :seller and (b.product_id, b.grain, b.start) = (picked.product_id, picked.grain, picked.start)) as body,
      case when scanned = :scan then place end as ends
    from ending left join picked on true order by picked.product_id, picked.grain, picked.start`,
)

/**
 * Returns a page of a seller's avails in some weeks or of one grain. Scans at most 20,000: a page may end early, even empty, at `last`.
 */
export async function pageSelectedAvails(
  { pool }: Database,
  seller: string,
  request: {
    productId?: string | undefined
    grain?: Grain | undefined
    weeks?: readonly WeekRun[] | undefined
    after: AvailPosition | undefined
    limit: number
  },
): Promise<{ avails: Avail[]; last?: AvailPosition }> {
  const { productId, grain, weeks, after, limit } = request
  const { rows } = await pool.query<{ body: Avail | null; ends: AvailPosition | null }>(
    SELECTED.bind({
      seller,
      after_product_id: after?.[0] ?? null,
      after_grain: after?.[1] ?? null,
      after_start: after?.[2] ?? null,
      limit: limit + 1,
      product_id: productId ?? null,
      grain: grain ?? null,
      scan: SCAN,
      ...runsOf(weeks),
    }),
  )
  const found = rows.flatMap(({ body }) => body ?? [])
  const avails = found.slice(0, limit)
  const end = avails.at(-1)
  if (end !== undefined && found.length > limit) return { avails, last: [end.product_id, end.period.grain, end.period.start] }
  const ends = rows[0]?.ends ?? null
  return ends === null ? { avails } : { avails, last: ends }
}

/** Returns a page of a seller's avails, of one product or of all. */
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
