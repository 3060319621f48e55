import type { Effective, PricedEntry } from '../../domain/publish/stageRateCard.ts'
import type { PricedValue } from '../../domain/publish/unpriced.ts'
import type { Hidden } from '../catalog/hidden.ts'
import { PRICE_COLUMNS } from '../catalog/priceColumns.ts'
import { savePricedValues } from '../catalog/pricedValues.ts'
import type { Publishing } from '../catalog/publishLock.ts'
import { keepWindows } from '../catalog/rateWindows.ts'
import { beginUnpublished, clearUnpublished, leaveUnpublished, written } from '../catalog/unpublished.ts'
import { batches } from '../connection/batches.ts'
import { arraysOf, namesOf, valuesOf } from '../connection/columns.ts'
import type { Tx } from '../connection/database.ts'
import { newId } from '../connection/newId.ts'
import { statement } from '../connection/statement.ts'
import { runOn } from '../connection/txOn.ts'

export interface NewCommit {
  readonly seller: string
  readonly commit: string
  readonly effective: Effective
  readonly agreementId: string | undefined
  readonly bodySha256: Buffer
  /** The answer as it will be replayed. */
  readonly reply: string
  /** The number of the commit of this name that the prices complete; absent for a new commit. */
  readonly completes?: string | undefined
}

/** The prices of a commit. */
export interface NewPrices {
  readonly entries: readonly PricedEntry[]
  readonly values: readonly PricedValue[]
  /** The currency of entries that name none. */
  readonly currency: string
}

/** Prices per statement, an array per column: few enough that other requests wait only briefly, and the transaction stays short. */
const BATCH = 1_500
/** Priced values per statement. */
const VALUES_PER_BATCH = 2_500

/** A commit whose prices are written under its number. Revealing it makes the commit, or a part of the one that it completes. */
export type HiddenCommit = Hidden & { readonly commitNo: string }

/** Writes every price of a commit in short transactions, each under its own locked_rate_id. A failure leaves nothing of them. */
export async function saveCommit(
  publishing: Publishing,
  commit: NewCommit,
  { entries, values, currency }: NewPrices,
): Promise<HiddenCommit> {
  const { seller, agreementId } = commit
  const commitNo = await beginUnpublished(publishing)
  const write = (work: (tx: Tx) => Promise<void>) => publishing.commit(work)
  await written(publishing, commitNo, async () => {
    for (const rows of batches(rowsOf(entries, currency), BATCH)) {
      await write(async (tx) => {
        await savePrices(tx, commit, commitNo, rows)
        if (rows.some(({ window_closes }) => window_closes !== null))
          await keepWindows(
            tx,
            rows.map(({ locked_rate_id }) => locked_rate_id),
          )
      })
    }
    for (const some of batches(values, VALUES_PER_BATCH)) await write((tx) => savePricedValues(tx, { seller, agreementId, commitNo }, some))
  })
  return {
    commitNo,
    reveal: (tx) => insertCommit(tx, commit, commitNo),
    tidy: async () => undefined,
    discard: () => clearUnpublished(publishing, commitNo),
  }
}

/** Turns the rows under this number into a commit, or a part of the one that they complete, visible once the transaction ends. */
async function insertCommit(
  tx: Tx,
  { seller, commit, agreementId, effective, bodySha256, reply, completes }: NewCommit,
  commitNo: string,
): Promise<void> {
  const scope = { agreement_id: agreementId ?? null, effective: `[${effective.start},${effective.end}]` }
  const answered = { seller, commit_no: commitNo, body_sha256: bodySha256, reply }
  await runOn(tx, completes === undefined ? INSERT.bind({ ...answered, commit, ...scope }) : COMPLETE.bind({ ...answered, completes }))
  await leaveUnpublished(tx, seller, commitNo)
}

/** Writes a commit under the number of its prices. Returns nothing. */
const INSERT = statement(
  'insert-commit',
  ['seller', 'commit', 'commit_no', 'agreement_id', 'effective', 'body_sha256', 'reply'],
  `insert into rate_commits (seller, commit, commit_no, agreement_id, effective, body_sha256, reply) overriding system value
    values (:seller, :commit, :commit_no::bigint, :agreement_id, :effective::daterange, :body_sha256, :reply)`,
)

/** Makes the number of further prices a part of their commit, whose answer is that to what was sent last. Returns nothing. */
const COMPLETE = statement(
  'complete-commit',
  ['seller', 'completes', 'commit_no', 'body_sha256', 'reply'],
  `with part as (
      insert into rate_commit_parts (commit_no, seller, completes) values (:commit_no::bigint, :seller, :completes::bigint)
    )
    update rate_commits set body_sha256 = :body_sha256, reply = :reply where seller = :seller and commit_no = :completes::bigint`,
)

const COLUMNS = {
  locked_rate_id: 'text',
  week: 'text',
  ...PRICE_COLUMNS,
  window_opens: 'timestamptz',
  window_closes: 'timestamptz',
} as const

type Column = string | number | null
type Row = Readonly<Record<keyof typeof COLUMNS, Column>> & { readonly locked_rate_id: string }

/** Yields every price of the entries, one per ISO week, each under its own locked_rate_id. */
function* rowsOf(entries: readonly PricedEntry[], currency: string): Generator<Row> {
  for (const { entry, weeks } of entries) {
    const alike = {
      product_id: entry.product_id,
      market_class: entry.market_class,
      advertiser_class: entry.advertiser_class,
      spot_length: entry.spot_length,
      buy_type: entry.buy_type,
      clearance_tier: entry.clearance_tier ?? null,
      gross_rate_unit: entry.gross_rate_unit ?? null,
      gross_rate_cpm: entry.gross_rate_cpm ?? null,
      currency: entry.currency ?? currency,
      guaranteed_impressions: entry.guaranteed_impressions ?? null,
      audience_code: entry.audience_code ?? null,
      window_opens: utc(entry.window?.opens),
      window_closes: utc(entry.window?.closes),
      quote_expires_at: utc(entry.quote_expires_at),
    }
    for (const week of weeks) yield { locked_rate_id: newId('lr_'), week, ...alike }
  }
}

/** Writes prices of one commit. Returns nothing. */
const SAVE = statement(
  'save-prices',
  ['seller', 'commit', 'commit_no', 'agreement_id', ...namesOf(COLUMNS)],
  `insert into rate_entries (seller, commit, commit_no, agreement_id, ${namesOf(COLUMNS).join(', ')})
    select :seller, :commit, :commit_no::bigint, :agreement_id, r.* from unnest(${arraysOf(COLUMNS)}) as r`,
)

async function savePrices(tx: Tx, { seller, commit, agreementId }: NewCommit, commitNo: string, rows: readonly Row[]): Promise<void> {
  const values = { seller, commit, commit_no: commitNo, agreement_id: agreementId ?? null, ...valuesOf(COLUMNS, rows) }
  await runOn(tx, SAVE.bind(values))
}

/** Converts a stamp to UTC, since Postgres knows fewer offsets than ISO does. */
function utc(stamp: string | undefined): string | null {
  return stamp === undefined ? null : new Date(stamp).toISOString()
}
