import type { Kysely } from 'kysely'
import type { MarketClass } from '../../contract/vocabulary.ts'
import type { CardPrice } from '../../domain/discovery/availRate.ts'
import type { WeekPrice } from '../../domain/publish/grainConflict.ts'
import type { Effective } from '../../domain/publish/stageRateCard.ts'
import { batchesOfIds } from '../connection/batches.ts'
import type { Database } from '../connection/database.ts'
import type { Reading } from '../connection/snapshot.ts'
import { statement } from '../connection/statement.ts'
import type { Tables } from '../connection/tables.ts'
import { runOn } from '../connection/txOn.ts'
import { IN_SIGHT } from './quotes.ts'

/** A commit of a seller's card, without its entries. */
export interface RateCommit {
  readonly commit: string
  readonly effective: Effective
  readonly agreement_id: string | null
  /** The only buyer that a quote commit is for, and the order that it answers; null on a card. */
  readonly quote: { readonly buyer_entity: string; readonly order_id: string } | null
  readonly published_at: string
}

export const RATE_COLUMNS = `locked_rate_id, product_id, week, market_class, advertiser_class, spot_length, buy_type, clearance_tier,
  gross_rate_unit, gross_rate_cpm, currency, guaranteed_impressions::integer, audience_code, window_opens, window_closes, quote_expires_at,
  agreement_id, visible_to`

/** Who reads the card, and which part of it. `agreementId` is an agreement that was presented and is in force. */
export interface CardQuestion {
  readonly seller: string
  readonly buyer: string
  readonly agreementId?: string | undefined
  readonly productIds: readonly string[]
  readonly spotLength?: number | undefined
  readonly marketClass?: MarketClass | undefined
  /** Runs of weeks, as parallel lists of first and last weeks. */
  readonly weeks?: { readonly from: readonly string[]; readonly to: readonly string[] } | undefined
}

const CARD_FILTERS = ['seller', 'buyer', 'agreement_id', 'product_ids', 'spot_length', 'market_class'] as const
const WEEK_RUNS = ['first_weeks', 'last_weeks'] as const

/** The part of a card that one buyer may see; a null filter lets everything pass. */
const ASKED_FOR = `seller = :seller
      and ${IN_SIGHT(':buyer', ':seller')}
      and (agreement_id is null or agreement_id = :agreement_id)
      and product_id = any(:product_ids::text[])
      and (:spot_length::integer is null or spot_length = :spot_length)
      and (:market_class::text is null or market_class = :market_class)`
const IN_RUNS = `(:first_weeks::text[] is null or exists (
        select from unnest(:first_weeks::text[], :last_weeks::text[]) as run(first, last) where week between first and last))`

const CARD_KEY = 'product_id, week, spot_length, market_class, advertiser_class, buy_type, clearance_tier, agreement_id, visible_to'

/** Reads the newest price of each key that one buyer may see, by product, then week. */
const CURRENT = statement(
  'read-current-card',
  [...CARD_FILTERS, ...WEEK_RUNS],
  `select distinct on (${CARD_KEY}) ${RATE_COLUMNS} from rate_entries where ${ASKED_FOR} and ${IN_RUNS} order by ${CARD_KEY}, commit_no desc`,
)

/** Reads the newest price of each key of single weeks: of a product with many prices, only those of the weeks. */
const CURRENT_OF_WEEKS = statement(
  'read-current-card-of-weeks',
  [...CARD_FILTERS, 'weeks'],
  `select distinct on (${CARD_KEY}) ${RATE_COLUMNS} from rate_entries where ${ASKED_FOR} and week = any(:weeks::text[])
    order by ${CARD_KEY}, commit_no desc`,
)

/**
 * Reads the newest price of each key if fewer than `max` prices, superseded ones included, must be scanned. `looked_at` is their number in each row, or in a
 * single row of nulls if there are none or too many.
 */
const CURRENT_OF_FEW = statement(
  'read-current-card-of-few',
  [...CARD_FILTERS, ...WEEK_RUNS, 'max'],
  `with price as materialized (select ${RATE_COLUMNS}, commit_no from rate_entries where ${ASKED_FOR} and ${IN_RUNS} limit :max)
    select distinct on (${CARD_KEY}) looked_at, price.* from (select count(*)::int as looked_at from price) counted
      left join price on looked_at < :max order by ${CARD_KEY}, commit_no desc`,
)

/** Counts the prices of each week, superseded ones included, by week. */
const PER_WEEK = statement(
  'count-prices-per-week',
  CARD_FILTERS,
  `select week, count(*)::int as prices from rate_entries where ${ASKED_FOR} group by week order by week`,
)

/** Returns the current card as one buyer may see it: per key and scope the newest commit (choices, Current card). By product, then week. */
export async function readCurrentCard({ pool }: Pick<Reading, 'pool'>, request: CardQuestion): Promise<CardPrice[]> {
  return (await pool.query<CardPrice>(CURRENT.bind({ ...filtersOf(request), ...runsOf(request) }))).rows
}

/** Returns the current card of single weeks. */
export async function readCurrentCardOfWeeks(
  { pool }: Pick<Reading, 'pool'>,
  request: Omit<CardQuestion, 'weeks'>,
  weeks: readonly string[],
): Promise<CardPrice[]> {
  return (await pool.query<CardPrice>(CURRENT_OF_WEEKS.bind({ ...filtersOf(request), weeks }))).rows
}

/** Returns the current card; undefined if it must scan `max` prices or more, superseded ones included. */
export async function readCurrentCardOfFew(
  { pool }: Pick<Reading, 'pool'>,
  request: CardQuestion,
  max: number,
): Promise<CardPrice[] | undefined> {
  const { rows } = await pool.query<CardPrice & { looked_at: number }>(
    CURRENT_OF_FEW.bind({ ...filtersOf(request), ...runsOf(request), max }),
  )
  const lookedAt = rows[0]?.looked_at ?? 0
  if (lookedAt >= max) return undefined
  return lookedAt === 0 ? [] : rows
}

/** Returns the number of prices, superseded ones included, of each week that has any, by week. */
export async function countPricesPerWeek(
  { pool }: Pick<Reading, 'pool'>,
  request: Omit<CardQuestion, 'weeks'>,
): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ week: string; prices: number }>(PER_WEEK.bind(filtersOf(request)))
  return new Map(rows.map(({ week, prices }) => [week, prices]))
}

function filtersOf(request: Omit<CardQuestion, 'weeks'>) {
  return {
    seller: request.seller,
    buyer: request.buyer,
    agreement_id: request.agreementId ?? null,
    product_ids: request.productIds,
    spot_length: request.spotLength ?? null,
    market_class: request.marketClass ?? null,
  }
}

function runsOf({ weeks }: CardQuestion) {
  return { first_weeks: weeks?.from ?? null, last_weeks: weeks?.to ?? null }
}

/**
 * Returns the prices in force of some products, in one scope (null: the open card) or in all, except quotes. Includes those of `weeks`, and
 * else only months whose weeks differ, so that a product's whole card is never held in memory.
 */
export async function currentPrices(
  tx: Kysely<Tables>,
  seller: string,
  productIds: readonly string[],
  scope: { readonly agreementId: string | null } | 'all',
  weeks: readonly string[],
): Promise<WeekPrice[]> {
  const inScope = scope === 'all' ? { is_any_scope: true, agreement_id: null } : { is_any_scope: false, agreement_id: scope.agreementId }
  const current: WeekPrice[] = []
  for (const product_ids of batchesOfIds(productIds)) {
    const { rows } = await runOn<WeekPrice>(tx, CURRENT_PRICES.bind({ seller, product_ids, ...inScope, weeks }))
    for (const price of rows) current.push(price)
  }
  return current
}

const KEY_OF_WEEK = 'product_id, week, spot_length, market_class, advertiser_class, buy_type, clearance_tier, agreement_id'
const PRICE = 'gross_rate_unit, gross_rate_cpm, currency, guaranteed_impressions, audience_code'

/** Reads the newest price of each week in a scope or in all, for some weeks and for months whose weeks differ. */
const CURRENT_PRICES = statement(
  'read-current-prices',
  ['seller', 'product_ids', 'is_any_scope', 'agreement_id', 'weeks'],
  `with newest as (
      select distinct on (${KEY_OF_WEEK}) ${KEY_OF_WEEK}, ${PRICE}
      from rate_entries
      where seller = :seller and product_id = any(:product_ids::text[]) and visible_to is null
        and (:is_any_scope::boolean or agreement_id is not distinct from :agreement_id)
      order by ${KEY_OF_WEEK}, commit_no desc
    ), by_month as (
      select newest.*, min(price) over months <> max(price) over months as differs
      from newest cross join to_date(week, 'IYYY"-W"IW') monday cross join concat_ws('|', ${PRICE}) price
        cross join lateral (select distinct to_char(day, 'YYYY-MM') as month from unnest(array[monday, monday + 6]) day) spanned
      window months as (partition by product_id, spot_length, market_class, advertiser_class, buy_type, clearance_tier, agreement_id, month)
    )
    select distinct ${KEY_OF_WEEK}, gross_rate_unit, gross_rate_cpm, currency, guaranteed_impressions::integer, audience_code
    from by_month where differs or week = any(:weeks::text[])`,
)

const COMMIT_COLUMNS = `commit, commit_no, lower(effective)::text as start, (upper(effective) - 1)::text as "end", agreement_id, published_at,
  case when visible_to is not null then json_build_object('buyer_entity', visible_to, 'order_id', order_id) end as quote`
/** Reads a seller's commits below a number, newest first. */
const COMMITS = statement(
  'list-commits',
  ['seller', 'before', 'limit'],
  `select ${COMMIT_COLUMNS} from rate_commits
    where seller = :seller and (:before::bigint is null or commit_no < :before) order by commit_no desc limit :limit`,
)
/** Reads one commit by its name. */
const COMMIT = statement(
  'read-commit',
  ['seller', 'commit'],
  `select ${COMMIT_COLUMNS} from rate_commits where seller = :seller and commit = :commit`,
)

interface CommitRow {
  commit: string
  commit_no: string
  start: string
  end: string
  agreement_id: string | null
  quote: RateCommit['quote']
  published_at: string
}

/** Returns a seller's commits, including quotes, newest first, with the number that the next page starts after. */
export async function listCommits({ pool }: Database, seller: string, before: string | undefined, limit: number) {
  const { rows } = await pool.query<CommitRow>(COMMITS.bind({ seller, before: before ?? null, limit }))
  return rows.map(rateCommit)
}

export async function readCommit({ pool }: Database, seller: string, commit: string) {
  const { rows } = await pool.query<CommitRow>(COMMIT.bind({ seller, commit }))
  return rows.map(rateCommit)[0]
}

function rateCommit({ start, end, ...row }: CommitRow): RateCommit & { readonly commit_no: string } {
  return { ...row, effective: { start, end } }
}

/** SQL: the numbers of a commit's prices: its own, and those of the parts that completed it (`rate_commit_parts`). */
export const numbersOf = (commitNo: string) =>
  `array(select ${commitNo}::bigint union all select part.commit_no from rate_commit_parts part where part.completes = ${commitNo}::bigint)`

/** Reads a page of a commit's prices, by id. */
const ENTRIES = statement(
  'read-commit-entries',
  ['commit_no', 'after', 'limit'],
  `select ${RATE_COLUMNS} from rate_entries
    where commit_no = any(${numbersOf(':commit_no')}) and (:after::text is null or locked_rate_id > :after) order by locked_rate_id limit :limit`,
)

/** Returns the prices of one commit, by locked_rate_id. */
export async function readCommitEntries(
  { pool }: Database,
  commitNo: string,
  after: string | undefined,
  limit: number,
): Promise<CardPrice[]> {
  const { rows } = await pool.query<CardPrice>(ENTRIES.bind({ commit_no: commitNo, after: after ?? null, limit }))
  return rows
}
