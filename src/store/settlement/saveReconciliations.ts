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

/** The approximate lines per transaction, which take some hundredths of a second, since the feed waits for each. */
export const LINES_PER_BATCH = 2_000

/**
 * Writes results and drops their marks, in one transaction. A result with unchanged bytes changes nothing; any other moves the revision. An
 * order that has been marked since it was read, or is being marked, stays due, and its outdated result is not written. Returns the orders
 * whose marks are dropped.
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
    const changed = marked.map(({ result }) => result).filter(({ head, digest }) => held.has(head.order_id) && head.digest !== digest)
    const no = newResultNo()
    await writeLines(client, no, changed)
    const heads = changed.map((result) => headRow(result, no))
    await client.query(
      FINISH.bind({
        heads: JSON.stringify(heads),
        changed: heads.map(({ order_id }) => order_id),
        result: no,
        order_ids: [...held],
      }),
    )
    return [...held]
  })
}

/** Locks the marks that are unchanged, and skips those that another transaction is changing. Returns their orders. */
export async function holdMarks(
  client: Pick<PoolClient, 'query'>,
  marks: readonly Pick<DueReconciliation, 'order_id' | 'mark'>[],
): Promise<Set<string>> {
  const { rows } = await client.query<{ order_id: string; mark: string }>(HOLD.bind({ order_ids: marks.map(({ order_id }) => order_id) }))
  const current = new Map(rows.map(({ order_id, mark }) => [order_id, mark]))
  return new Set(marks.filter(({ order_id, mark }) => current.get(order_id) === mark).map(({ order_id }) => order_id))
}

/** Locks the current marks of orders. */
const HOLD = statement(
  'hold-marks',
  ['order_ids'],
  `select order_id, xmin::text as mark from reconcile_due where order_id = any(:order_ids::text[]) order by order_id for update skip locked`,
)

/** Returns the number of new lines, of one result or of several. It is random, so that two attempts never write under the same number. */
export function newResultNo(): number {
  return randomInt(1, 2 ** 31 - 1)
}

/** Lines of a result, some or all. */
type SomeLines = Pick<ReconciledOrder, 'head' | 'lines'>

/** Writes lines under a number that no reader looks for yet. */
export async function writeLines(client: Pick<PoolClient, 'query'>, no: number, results: readonly SomeLines[]): Promise<void> {
  const written = results.flatMap(({ lines }) => lines)
  if (written.length === 0) return
  const { groups, places } = groupsOf(results)
  await client.query(
    WRITE_LINES.bind({
      result: no,
      order_ids: textArray(groups.map(({ head }) => head.order_id)),
      sellers: textArray(groups.map(({ head }) => head.seller)),
      buyers: textArray(groups.map(({ head }) => head.buyer_entity)),
      shifts: plainArray(groups.map(({ shift }) => shift)),
      unit_ids: textArray(groups.map(({ first }) => first.unit_id)),
      networks: textArray(groups.map(({ first }) => first.network)),
      months: plainArray(groups.map(({ first }) => first.broadcast_month)),
      codes: textArray(groups.map(({ first }) => first.codes.join())),
      count: written.length,
      places: plainArray(places),
      air_dates: plainArray(written.map(({ air_date }) => air_date)),
      // JSON text has no line breaks, and a single text needs no quoting.
      bodies: written.map(({ body }) => body).join('\n'),
    }),
  )
}

/** Consecutive lines that differ only in date and body, as most lines of an order do. */
interface LineGroup {
  readonly head: ReconciledHead
  readonly first: ReconciledLine
  /** The difference between a line's number and its place among the written lines. */
  readonly shift: number
}

/** Returns the groups of lines, and for each line the place of its group, from 1 on. */
function groupsOf(results: readonly SomeLines[]): { groups: LineGroup[]; places: number[] } {
  const groups: LineGroup[] = []
  const places: number[] = []
  for (const { head, lines } of results) {
    let last: LineGroup | undefined
    for (const line of lines) {
      const shift = line.line - places.length - 1
      if (last === undefined || shift !== last.shift || !isOfGroup(line, last.first)) {
        last = { head, first: line, shift }
        groups.push(last)
      }
      places.push(groups.length)
    }
  }
  return { groups, places }
}

function isOfGroup(one: ReconciledLine, other: ReconciledLine): boolean {
  return (
    one.unit_id === other.unit_id &&
    one.network === other.network &&
    one.broadcast_month === other.broadcast_month &&
    (one.codes === other.codes || one.codes.join() === other.codes.join())
  )
}

/**
 * Inserts lines: `places` are those of their groups, each other parameter a column of lines or of groups. Lists in a select list are not
 * copied, unlike those of a FROM clause. COPY does not support row security.
 */
const WRITE_LINES = statement(
  'write-reconciliation-lines',
  [
    ...['result', 'order_ids', 'sellers', 'buyers', 'shifts', 'unit_ids', 'networks', 'months', 'codes'],
    ...['count', 'places', 'air_dates', 'bodies'],
  ],
  `insert into reconciliation_lines (order_id, result, line, seller, buyer_entity, unit_id, network, air_date, broadcast_month, codes, body)
    select g.order_id, :result::int, l.n + g.shift, g.seller, g.buyer_entity, g.unit_id, g.network, l.air_date, g.month, string_to_array(g.codes, ','), l.body::json
    from (select generate_series(1, :count::int) as n, unnest(:places::int[]) as place, unnest(:air_dates::date[]) as air_date,
        unnest(string_to_array(:bodies, chr(10))) as body) l
      join unnest(:order_ids::text[], :sellers::text[], :buyers::text[], :shifts::int[], :unit_ids::text[], :networks::text[],
        :months::text[], :codes::text[]) with ordinality as g (order_id, seller, buyer_entity, shift, unit_id, network, month, codes, place)
        using (place)`,
)

/** Returns the columns of a result whose lines have this number. */
export function headRow({ head, lines: _, ...result }: ReconciledOrder, no: number) {
  const { order_id, seller, buyer_entity, agreement_id, currency } = head
  const { state, coverage, totals, guarantees, codes, broadcast_months, digest } = result
  return {
    ...{ order_id, seller, buyer_entity, agreement_id, currency, result: no, state, codes, broadcast_months, digest },
    ...{ coverage, totals, guarantees },
  }
}

/** SQL: CTEs that write the rows of :heads. A change moves the revision, and the place in the feed of changes. */
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

/** Writes changed heads, deletes the lines that they replace, and drops the marks. Uses lists of ids: a join may scan all lines. */
const FINISH = statement(
  'finish-reconciliations',
  ['heads', 'changed', 'result', 'order_ids'],
  `with ${HEADS_WRITTEN}, replaced as (
    delete from reconciliation_lines where order_id = any(:changed::text[]) and result <> :result::int
  )
  delete from reconcile_due where order_id = any(:order_ids::text[])`,
)
