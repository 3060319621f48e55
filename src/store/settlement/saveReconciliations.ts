import { randomInt } from 'node:crypto'
import type { PoolClient } from 'pg'
import type { ReconciliationState, VarianceCode } from '../../contract/vocabulary/reconciliation.ts'
import { plainArray, textArray } from '../connection/arrayText.ts'
import type { Database } from '../connection/database.ts'
import { lockedTransaction, lockOn } from '../connection/lockedTransaction.ts'
import { statement } from '../connection/statement.ts'
import type { ReconciledHead } from './readToReconcile.ts'
import type { DueReconciliation } from './reconcileQueue.ts'

/** The reconciliation of an order, as it is stored. */
export interface ReconciledOrder {
  readonly head: ReconciledHead
  readonly state: ReconciliationState
  /** As JSON text. */
  readonly coverage: string
  readonly totals: string
  readonly guarantees: string
  readonly codes: readonly VarianceCode[]
  readonly broadcast_months: readonly string[]
  /** As hex text. */
  readonly digest: string
  readonly lines: readonly ReconciledLine[]
}

export interface ReconciledLine {
  readonly line: number
  readonly unit_id: string | null
  readonly network: string
  readonly air_date: string
  readonly broadcast_month: string
  readonly codes: readonly VarianceCode[]
  /** As JSON text. */
  readonly body: string
}

/** A result with the mark under which it was computed. */
export interface MarkedResult {
  readonly result: ReconciledOrder
  readonly mark: string
}

/** Lines that a transaction writes, about: some hundredths of a second, since the feed waits for each. */
export const LINES_AT_ONCE = 2_000

/**
 * Writes results and drops their marks, in one transaction. A result of which the bytes are as before changes nothing; the revision of any other moves.
 * An order that has been marked since it was read stays due, and its result is not written: it is out of date. So is one that is being marked.
 * Returns the orders whose marks are dropped.
 */
export async function saveReconciliations(
  { pool }: Pick<Database, 'pool'>,
  seller: string,
  marked: readonly MarkedResult[],
): Promise<string[]> {
  return lockedTransaction(pool, lockOn(`reconcile:${seller}`), async (client) => {
    const held = await holdMarks(
      client,
      marked.map(({ result, mark }) => ({ order_id: result.head.order_id, mark })),
    )
    const changed = marked
      .map(({ result }) => result)
      .filter(({ head, digest }) => held.has(head.order_id) && head.digest !== digest)
      .map((result) => ({ result, no: newResultNo(), lines: result.lines }))
    await writeLines(client, changed)
    const heads = changed.map(({ result, no }) => headRow(result, no))
    await client.query(
      FINISH.bind({
        heads: JSON.stringify(heads),
        changed: heads.map(({ order_id }) => order_id),
        results: heads.map(({ result }) => result),
        order_ids: [...held],
      }),
    )
    return [...held]
  })
}

/** Locks the marks that are still the same, and leaves those out that another transaction is changing. Returns their orders. */
export async function holdMarks(
  client: Pick<PoolClient, 'query'>,
  marks: readonly Pick<DueReconciliation, 'order_id' | 'mark'>[],
): Promise<Set<string>> {
  const { rows } = await client.query<{ order_id: string; mark: string }>(HOLD.bind({ order_ids: marks.map(({ order_id }) => order_id) }))
  const current = new Map(rows.map(({ order_id, mark }) => [order_id, mark]))
  return new Set(marks.filter(({ order_id, mark }) => current.get(order_id) === mark).map(({ order_id }) => order_id))
}

/** Locks the marks of orders as they are now. */
const HOLD = statement(
  'hold-marks',
  ['order_ids'],
  `select order_id, xmin::text as mark from reconcile_due where order_id = any(:order_ids::text[]) order by order_id for update skip locked`,
)

/** The number of new lines. By chance, so that two attempts never write under the same. */
export function newResultNo(): number {
  return randomInt(1, 2 ** 31 - 1)
}

/** Lines of a result under their number. */
export interface NumberedLines {
  readonly result: ReconciledOrder
  readonly no: number
  readonly lines: readonly ReconciledLine[]
}

/** Writes lines. No reader looks for their number yet. */
export async function writeLines(client: Pick<PoolClient, 'query'>, results: readonly NumberedLines[]): Promise<void> {
  const written = results.flatMap(({ lines }) => lines)
  if (written.length === 0) return
  await client.query(
    WRITE_LINES.bind({
      order_ids: results.map(({ result }) => result.head.order_id),
      sellers: results.map(({ result }) => result.head.seller),
      buyers: results.map(({ result }) => result.head.buyer_entity),
      results: results.map(({ no }) => no),
      places: plainArray(results.flatMap(({ lines }, index) => lines.map(() => index + 1))),
      lines: plainArray(written.map(({ line }) => line)),
      unit_ids: textArray(written.map(({ unit_id }) => unit_id)),
      networks: textArray(written.map(({ network }) => network)),
      air_dates: plainArray(written.map(({ air_date }) => air_date)),
      months: plainArray(written.map(({ broadcast_month }) => broadcast_month)),
      codes: textArray(written.map(({ codes }) => codes.join())),
      // JSON text has no line breaks, and as one text it needs no quotes.
      bodies: written.map(({ body }) => body).join('\n'),
    }),
  )
}

/** Inserts lines, each parameter a column of them or of their orders; `places` are the orders of the lines. COPY knows no row security. */
const WRITE_LINES = statement(
  'write-reconciliation-lines',
  [
    ...['order_ids', 'sellers', 'buyers', 'results'],
    ...['places', 'lines', 'unit_ids', 'networks', 'air_dates', 'months', 'codes', 'bodies'],
  ],
  `insert into reconciliation_lines (order_id, result, line, seller, buyer_entity, unit_id, network, air_date, broadcast_month, codes, body)
    select o.order_id, o.result, l.line, o.seller, o.buyer_entity, l.unit_id, l.network, l.air_date, l.month, string_to_array(l.codes, ','), l.body::json
    from unnest(:places::int[], :lines::int[], :unit_ids::text[], :networks::text[], :air_dates::date[], :months::text[], :codes::text[],
        string_to_array(:bodies, chr(10))) as l (place, line, unit_id, network, air_date, month, codes, body)
      join unnest(:order_ids::text[], :sellers::text[], :buyers::text[], :results::int[]) with ordinality
        as o (order_id, seller, buyer_entity, result, place) using (place)`,
)

/** The columns of a result, whose lines have this number. */
export function headRow({ head, lines: _, ...result }: ReconciledOrder, no: number) {
  const { order_id, seller, buyer_entity, agreement_id, currency } = head
  const { state, coverage, totals, guarantees, codes, broadcast_months, digest } = result
  return {
    ...{ order_id, seller, buyer_entity, agreement_id, currency, result: no, state, codes, broadcast_months, digest },
    ...{ coverage, totals, guarantees },
  }
}

/** CTEs that write the rows of :heads. A change moves the revision, and the place in the feed of changes. */
export const HEADS_WRITTEN = `written as (
    insert into reconciliations as r
      (order_id, seller, buyer_entity, agreement_id, currency, result, state, coverage, totals, guarantees, codes, broadcast_months, digest)
    select order_id, seller, buyer_entity, agreement_id, currency, result, state, coverage::json, totals::json, guarantees::json, codes, broadcast_months,
      decode(digest, 'hex')
    from json_to_recordset(:heads::json) as head (
      order_id text, seller text, buyer_entity text, agreement_id text, currency text, result integer, state text, coverage text, totals text,
      guarantees text, codes text[], broadcast_months text[], digest text)
    on conflict (order_id) do update set revision = r.revision + 1, result = excluded.result, currency = excluded.currency,
      agreement_id = excluded.agreement_id, state = excluded.state, coverage = excluded.coverage, totals = excluded.totals,
      guarantees = excluded.guarantees, codes = excluded.codes, broadcast_months = excluded.broadcast_months, digest = excluded.digest,
      reconciled_at = excluded.reconciled_at, changed_txid = feed_txid()
    returning order_id, result
  )`

/** Writes the heads that have changed, deletes the lines that they replace, and drops the marks. By lists of ids: a join may walk all lines. */
const FINISH = statement(
  'finish-reconciliations',
  ['heads', 'changed', 'results', 'order_ids'],
  `with ${HEADS_WRITTEN}, replaced as (
    delete from reconciliation_lines where order_id = any(:changed::text[]) and result <> all(:results::int[])
  )
  delete from reconcile_due where order_id = any(:order_ids::text[])`,
)
