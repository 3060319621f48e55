import { randomInt } from 'node:crypto'
import type { PoolClient } from 'pg'
import type { ReconciliationState, VarianceCode } from '../../contract/vocabulary/reconciliation.ts'
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

/** Lines that a transaction writes, about: a tenth of a second, since the feed waits for each. */
export const LINES_AT_ONCE = 4_000

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
    await client.query(FINISH.bind({ heads: JSON.stringify(heads), order_ids: [...held] }))
    return [...held]
  })
}

/** Locks the marks that are still the same, and leaves those out that another transaction is changing. Returns their orders. */
export async function holdMarks(
  client: Pick<PoolClient, 'query'>,
  marks: readonly Pick<DueReconciliation, 'order_id' | 'mark'>[],
): Promise<Set<string>> {
  const { rows } = await client.query<{ order_id: string }>(
    HOLD.bind({ order_ids: marks.map(({ order_id }) => order_id), marks: marks.map(({ mark }) => mark) }),
  )
  return new Set(rows.map(({ order_id }) => order_id))
}

/** Locks marks. The one that is found is compared again when the lock is held. */
const HOLD = statement(
  'hold-marks',
  ['order_ids', 'marks'],
  `select d.order_id from reconcile_due d join unnest(:order_ids::text[], :marks::text[]) as read (order_id, mark) on read.order_id = d.order_id
    where d.xmin::text = read.mark order by d.order_id for update of d skip locked`,
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
  const columns = Object.fromEntries(LINE_COLUMNS.map(([name]) => [name, [] as unknown[]])) as Record<LineColumn, unknown[]>
  for (const { result, no, lines } of results) {
    const { order_id, seller, buyer_entity } = result.head
    for (const { codes, ...line } of lines) {
      const row = { ...line, order_id, result: no, seller, buyer_entity, codes: `{${codes}}` }
      for (const [name] of LINE_COLUMNS) columns[name].push(row[name])
    }
  }
  if (columns.line.length > 0) await client.query(WRITE_LINES.bind(columns))
}

const LINE_COLUMNS = [
  ...([
    ['order_id', 'text'],
    ['result', 'integer'],
    ['line', 'integer'],
    ['seller', 'text'],
    ['buyer_entity', 'text'],
  ] as const),
  ...([
    ['unit_id', 'text'],
    ['network', 'text'],
    ['air_date', 'date'],
    ['broadcast_month', 'text'],
    ['codes', 'text'],
    ['body', 'json'],
  ] as const),
] as const
type LineColumn = (typeof LINE_COLUMNS)[number][0]
const LINE_NAMES = LINE_COLUMNS.map(([name]) => name)

/** Inserts lines, each parameter a column of them. COPY is not possible where there is row security. */
const WRITE_LINES = statement(
  'write-reconciliation-lines',
  LINE_NAMES,
  `insert into reconciliation_lines (${LINE_NAMES}) select ${LINE_NAMES.map((name) => (name === 'codes' ? 'codes::text[]' : name))}
    from unnest(${LINE_COLUMNS.map(([name, type]) => `:${name}::${type}[]`)}) as line (${LINE_NAMES})`,
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

/** Writes the heads that have changed, deletes the lines that they replace, and drops the marks. */
const FINISH = statement(
  'finish-reconciliations',
  ['heads', 'order_ids'],
  `with ${HEADS_WRITTEN}, replaced as (
    delete from reconciliation_lines l using written w where l.order_id = w.order_id and l.result <> w.result
  )
  delete from reconcile_due where order_id = any(:order_ids::text[])`,
)
