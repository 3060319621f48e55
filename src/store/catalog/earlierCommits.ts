import type { Kysely } from 'kysely'
import type { RateEntry } from '../../contract/rateCard.ts'
import type { CommittedPrice } from '../../domain/publish/completeCommit.ts'
import type { Effective } from '../../domain/publish/stageRateCard.ts'
import { batches, batchesOfIds } from '../connection/batches.ts'
import { statement } from '../connection/statement.ts'
import type { Tables } from '../connection/tables.ts'
import { runOn } from '../connection/txOn.ts'
import { utcText } from '../connection/utcText.ts'
import { numbersOf } from './rateCards.ts'

/** A commit of the seller, found by its name. */
export interface FoundCommit {
  readonly commit: string
  readonly commit_no: string
  readonly body_sha256: Buffer
  /** The stored answer as text; empty for a quote. */
  readonly reply: string
  readonly effective: Effective
  readonly agreement_id: string | null
  /** Whether entries that it had refused were published later. */
  readonly has_parts: boolean
}

/** Returns those of the names that are commits of the seller. */
export async function findCommits(db: Kysely<Tables>, seller: string, commits: readonly string[]): Promise<FoundCommit[]> {
  const found: FoundCommit[] = []
  for (const names of batchesOfIds(commits)) {
    const { rows } = await runOn<Omit<FoundCommit, 'effective'> & Effective>(db, FIND.bind({ seller, commits: names }))
    for (const { start, end, ...commit } of rows) found.push({ ...commit, effective: { start, end } })
  }
  return found
}

const FIND = statement(
  'find-commits',
  ['seller', 'commits'],
  `select commit, commit_no, body_sha256, reply, lower(effective)::text as start, (upper(effective) - 1)::text as "end", agreement_id,
      exists (select from rate_commit_parts part where part.completes = c.commit_no) as has_parts
    from rate_commits c where seller = :seller and commit = any(:commits::text[])`,
)

/** Returns what a commit has published for the keys of these entries. */
export async function committedPrices(
  db: Kysely<Tables>,
  { commit_no }: Pick<FoundCommit, 'commit_no'>,
  entries: readonly RateEntry[],
): Promise<CommittedPrice[]> {
  const committed: CommittedPrice[] = []
  for (const keys of batches(keysOf(entries), KEYS)) {
    const column = (name: keyof Key) => keys.map((key) => key[name])
    const { rows } = await runOn<CommittedPrice>(
      db,
      COMMITTED.bind({
        commit_no,
        product_ids: column('product_id'),
        market_classes: column('market_class'),
        advertiser_classes: column('advertiser_class'),
        spot_lengths: column('spot_length'),
        buy_types: column('buy_type'),
        clearance_tiers: column('clearance_tier'),
      }),
    )
    for (const price of rows) committed.push(price)
  }
  return committed
}

/** Keys per statement. */
const KEYS = 5_000

type Key = ReturnType<typeof keyOf>

function keyOf({ product_id, market_class, advertiser_class, spot_length, buy_type, clearance_tier = '' }: RateEntry) {
  return { product_id, market_class, advertiser_class, spot_length, buy_type, clearance_tier }
}

/** Returns each key of the entries once, so that the prices of different batches differ. */
function keysOf(entries: readonly RateEntry[]): Iterable<Key> {
  return new Map(entries.map(keyOf).map((key) => [JSON.stringify(key), key])).values()
}

const MEMBERS = `product_id, market_class, advertiser_class, spot_length, buy_type, clearance_tier, gross_rate_unit, gross_rate_cpm, currency,
  guaranteed_impressions, audience_code, window_opens, window_closes, quote_expires_at`

const COMMITTED = statement(
  'read-committed-prices',
  ['commit_no', 'product_ids', 'market_classes', 'advertiser_classes', 'spot_lengths', 'buy_types', 'clearance_tiers'],
  `select ${MEMBERS.replace('guaranteed_impressions', '$&::float8').replaceAll(/window_opens|window_closes|quote_expires_at/g, (column) => `${utcText(column)} as ${column}`)},
      array_agg(week) as weeks
    from rate_entries
    where commit_no = any(${numbersOf(':commit_no')})
      and (product_id, market_class, advertiser_class, spot_length, buy_type, coalesce(clearance_tier, '')) in (
        select * from unnest(:product_ids::text[], :market_classes::text[], :advertiser_classes::text[], :spot_lengths::int[], :buy_types::text[],
          :clearance_tiers::text[])
      )
    group by ${MEMBERS}`,
)
