import type { CardPrice } from '../../domain/discovery/availRate.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import { numbersOf, RATE_COLUMNS } from './rateCards.ts'
import { isPublished } from './unpublished.ts'

type Pool = Pick<Database, 'pool'>

/** A price in force, with its commit. */
export type PriceInForce = CardPrice & { readonly commit: string }

/** Reads the newest price of each key of a product in some weeks, except quotes. */
const IN_FORCE = statement(
  'read-prices-in-force',
  ['seller', 'product_id', 'weeks'],
  `select distinct on (week, spot_length, market_class, advertiser_class, buy_type, clearance_tier, agreement_id) ${RATE_COLUMNS}, commit
    from rate_entries where seller = :seller and product_id = :product_id and week = any(:weeks::text[]) and visible_to is null
      and ${isPublished(':seller')}
    order by week, spot_length, market_class, advertiser_class, buy_type, clearance_tier, agreement_id, commit_no desc`,
)

/** Returns a product's prices in force in some weeks, of the open card and of every agreement, by week, then key. */
export async function readPricesInForce(
  { pool }: Pool,
  seller: string,
  productId: string,
  weeks: readonly string[],
): Promise<PriceInForce[]> {
  return (await pool.query<PriceInForce>(IN_FORCE.bind({ seller, product_id: productId, weeks }))).rows
}

const KEY = ['product_id', 'week', 'spot_length', 'market_class', 'advertiser_class', 'buy_type', 'clearance_tier'] as const
/** Builds the key of a card as one text that sorts. */
const keyOf = (table: string) => `concat_ws(chr(31), ${KEY.map((column) => `${table}.${column}`).join(', ')})`
const PRICE = ['gross_rate_unit', 'gross_rate_cpm', 'currency', 'guaranteed_impressions', 'audience_code']
const priceOf = (table: string) => `(${PRICE.map((column) => `${table}.${column}`).join(', ')})`
const shown = (table: string) =>
  `case when ${table}.locked_rate_id is not null then json_build_object('locked_rate_id', ${table}.locked_rate_id,
      'gross_rate_unit', ${table}.gross_rate_unit::text, 'gross_rate_cpm', ${table}.gross_rate_cpm::text, 'currency', ${table}.currency) end`

/** A difference between two commits. */
export interface CommitDifference {
  readonly key: string
  readonly change: 'added' | 'changed' | 'removed'
  readonly product_id: string
  readonly week: string
  readonly spot_length: number
  readonly market_class: string
  readonly advertiser_class: string
  readonly buy_type: string
  readonly clearance_tier: string | null
  readonly before: DifferingPrice | null
  readonly after: DifferingPrice | null
}

interface DifferingPrice {
  readonly locked_rate_id: string
  readonly gross_rate_unit: string | null
  readonly gross_rate_cpm: string | null
  readonly currency: string
}

export type DifferenceCounts = Readonly<Record<CommitDifference['change'] | 'unchanged', number>>

/** Compares two commits: returns their differences after a key, with the counts of each kind in every row; at least one row. */
const DIFFERENCES = statement(
  'diff-commits',
  ['commit_no', 'against_no', 'after', 'limit'],
  `with side_by_side as materialized (
      select case
          when b.locked_rate_id is null then 'added' when a.locked_rate_id is null then 'removed'
          when ${priceOf('a')} is distinct from ${priceOf('b')} then 'changed' else 'unchanged' end as change,
        ${KEY.map((column) => `coalesce(a.${column}, b.${column}) as ${column}`).join(', ')}, ${shown('b')} as before, ${shown('a')} as after,
        case when a.locked_rate_id is null then ${keyOf('b')} else ${keyOf('a')} end as key
      from (select * from rate_entries where commit_no = any(${numbersOf(':commit_no')})) a
        full join (select * from rate_entries where commit_no = any(${numbersOf(':against_no')})) b on ${keyOf('a')} = ${keyOf('b')}
    ), counts as (
      select (count(*) filter (where change = 'added'))::int as added, (count(*) filter (where change = 'changed'))::int as changed,
        (count(*) filter (where change = 'removed'))::int as removed, (count(*) filter (where change = 'unchanged'))::int as unchanged
      from side_by_side
    )
    select counts.*, page.* from counts left join (
      select key, change, ${KEY.join(', ')}, before, after from side_by_side
      where change <> 'unchanged' and (:after::text is null or key > :after) order by key limit :limit
    ) page on true order by key`,
)

/** Returns the differences of a commit from another one, after a key. Without another commit, everything is added. */
export async function diffCommits(
  { pool }: Pool,
  commitNo: string,
  againstNo: string | undefined,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<{ counts: DifferenceCounts; items: CommitDifference[] }> {
  const { rows } = await pool.query<DifferenceCounts & (CommitDifference | { key: null })>(
    DIFFERENCES.bind({ commit_no: commitNo, against_no: againstNo ?? null, after: after ?? null, limit }),
  )
  const { added = 0, changed = 0, removed = 0, unchanged = 0 } = rows[0] ?? {}
  return {
    counts: { added, changed, removed, unchanged },
    items: rows.filter((row): row is DifferenceCounts & CommitDifference => row.key !== null),
  }
}

/** Finds the commit before another one in its scope, except quotes. */
const BEFORE = statement(
  'commit-before',
  ['seller', 'commit_no'],
  `select c.commit, c.commit_no from rate_commits c join rate_commits later on later.commit_no = :commit_no and later.seller = c.seller
    where c.seller = :seller and c.commit_no < :commit_no and c.visible_to is null and c.agreement_id is not distinct from later.agreement_id
    order by c.commit_no desc limit 1`,
)

export async function commitBefore(
  { pool }: Pool,
  seller: string,
  commitNo: string,
): Promise<{ commit: string; commit_no: string } | undefined> {
  const { rows } = await pool.query<{ commit: string; commit_no: string }>(BEFORE.bind({ seller, commit_no: commitNo }))
  return rows[0]
}
