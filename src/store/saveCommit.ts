import { sql } from 'kysely'
import type { Effective, PricedEntry } from '../domain/publish/stageRateCard.ts'
import type { PricedValue } from '../domain/publish/unpriced.ts'
import type { Tx } from './database.ts'
import { newId } from './newId.ts'
import { savePricedValues, VALUES_AT_ONCE } from './pricedValues.ts'
import type { Publishing } from './publishLock.ts'
import { keepWindows } from './rateWindows.ts'
import { beginUnpublished, clearUnpublished } from './unpublished.ts'

export interface NewCommit {
  readonly seller: string
  readonly commit: string
  readonly effective: Effective
  readonly agreementId: string | undefined
  readonly bodySha256: Buffer
  /** The answer, as it will be replayed. */
  readonly reply: string
}

/** What a commit prices. */
export interface NewPrices {
  readonly entries: readonly PricedEntry[]
  readonly values: readonly PricedValue[]
  /** Of entries that name none. */
  readonly currency: string
}

/** Prices of one statement, an array per column: it is never long away from other requests, and its transaction is short. */
const AT_ONCE = 2_500

/**
 * Writes a commit and every price that it materialises, each under a locked_rate_id of its own, and `publish` with the commit itself; answers the
 * commit's number. All of it is seen at once or not at all; of many prices most are written before, unseen, in short transactions.
 */
export async function saveCommit(
  publishing: Publishing,
  commit: NewCommit,
  { entries, values, currency }: NewPrices,
  publish: (tx: Tx) => Promise<void>,
): Promise<string> {
  const { seller, agreementId } = commit
  const commitNo = await beginUnpublished(publishing)
  const write = (work: (tx: Tx) => Promise<void>) => publishing.commit(work)
  try {
    for (const rows of batches(rowsOf(entries, currency), AT_ONCE)) {
      await write(async (tx) => {
        await savePrices(tx, commit, commitNo, rows)
        if (rows.some((row) => row[WINDOW_CLOSES] !== null))
          await keepWindows(
            tx,
            rows.map(([lockedRateId]) => lockedRateId as string),
          )
      })
    }
    for (const some of batches(values, VALUES_AT_ONCE)) await write((tx) => savePricedValues(tx, { seller, agreementId, commitNo }, some))
    await write(async (tx) => {
      await insertCommit(tx, commit, commitNo)
      await publish(tx)
    })
    return commitNo
  } catch (error) {
    // Should this fail as well, the seller's next publish does it.
    await clearUnpublished(publishing, commitNo).catch(() => undefined)
    throw error
  }
}

async function insertCommit(
  tx: Tx,
  { seller, commit, agreementId, effective, bodySha256, reply }: NewCommit,
  commitNo: string,
): Promise<void> {
  await sql`
    insert into rate_commits (seller, commit, commit_no, agreement_id, effective, body_sha256, reply) overriding system value
    values (${seller}, ${commit}, ${commitNo}::bigint, ${agreementId ?? null}, ${`[${effective.start},${effective.end}]`}::daterange,
      ${bodySha256}, ${reply})`.execute(tx)
  await tx.updateTable('sellers').set({ unpublished_commit_no: null }).where('seller', '=', seller).execute()
}

/** What every week of an entry has alike, in the order of `sharedColumns`. */
const SHARED = [
  'product_id',
  'market_class',
  'advertiser_class',
  'spot_length',
  'buy_type',
  'clearance_tier',
  'gross_rate_unit',
  'gross_rate_cpm',
  'currency',
  'guaranteed_impressions',
  'audience_code',
  'window_opens',
  'window_closes',
  'quote_expires_at',
] as const

type Column = string | number | null
type Row = readonly Column[]

/** Every price of the entries, one per ISO week, each under a locked_rate_id of its own. */
function* rowsOf(entries: readonly PricedEntry[], currency: string): Generator<Row> {
  for (const { entry, weeks } of entries) {
    const shared = sharedColumns(entry, currency)
    for (const week of weeks) yield [newId('lr_'), week, ...shared]
  }
}

function sharedColumns(entry: PricedEntry['entry'], currency: string): Column[] {
  return [
    entry.product_id,
    entry.market_class,
    entry.advertiser_class,
    entry.spot_length,
    entry.buy_type,
    entry.clearance_tier ?? null,
    entry.gross_rate_unit ?? null,
    entry.gross_rate_cpm ?? null,
    entry.currency ?? currency,
    entry.guaranteed_impressions ?? null,
    entry.audience_code ?? null,
    utc(entry.window?.opens),
    utc(entry.window?.closes),
    utc(entry.quote_expires_at),
  ]
}

async function savePrices(tx: Tx, { seller, commit, agreementId }: NewCommit, commitNo: string, rows: readonly Row[]): Promise<void> {
  const column = (at: number) => rows.map((row) => row[at] ?? null)
  await sql`
    insert into rate_entries (seller, commit, commit_no, agreement_id, locked_rate_id, week, ${sql.raw(SHARED.join(', '))})
    select ${seller}, ${commit}, ${commitNo}::bigint, ${agreementId ?? null}, r.*
    from unnest(${column(0)}::text[], ${column(1)}::text[], ${column(2)}::text[], ${column(3)}::text[], ${column(4)}::text[],
      ${column(5)}::integer[], ${column(6)}::text[], ${column(7)}::text[], ${column(8)}::numeric[], ${column(9)}::numeric[],
      ${column(10)}::text[], ${column(11)}::bigint[], ${column(12)}::text[],
      ${column(13)}::timestamptz[], ${column(14)}::timestamptz[], ${column(15)}::timestamptz[]) as r`.execute(tx)
}

/** Postgres knows fewer offsets than ISO does. */
function utc(stamp: string | undefined): string | null {
  return stamp === undefined ? null : new Date(stamp).toISOString()
}

const WINDOW_CLOSES = 2 + SHARED.indexOf('window_closes')

function* batches<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = []
  for (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
