import type {
  ReconciledOrdersQuery,
  Reconciliation,
  ReconciliationLine,
  ReconciliationQuery,
} from '../../../src/contract/reconciliation.ts'
import { LINE_COUNTS, type LineCount } from '../../../src/contract/vocabulary/reconciliation.ts'
import { shownVariances } from '../../../src/operations/settlement/shownVariances.ts'
import { FIRST_CHANGE, listReconciledOrders } from '../../../src/store/settlement/reconciledOrders.ts'
import { readReconciliation, type StoredCell, type StoredReconciliation } from '../../../src/store/settlement/reconciliationReads.ts'
import { readCursor, writeCursor } from '../../http/cursor.ts'
import type { Handler } from '../../http/handler.ts'
import { type Page, positionOf } from '../../http/page.ts'
import { ok } from '../../http/reply.ts'
import { noSuchOrder } from './ownOrder.ts'

/** Reads of reconciliations, for both sides. */

export const getReconciliation: Handler<undefined, ReconciliationQuery> = async (deps, { caller, params, query }) => {
  const { cursor, limit, ...filter } = query
  const orderId = params.order_id ?? ''
  const page: Page = { bound: ['reconciliation', caller.entity, orderId, JSON.stringify(filter)], cursor, limit }
  const [after = 0] = positionOf(deps, page) ?? []
  const stored = await deps.pages.inTurn(caller.entity, () =>
    readReconciliation(deps.db, caller, { orderId, ...filter, after: Number(after), limit: limit + 1 }),
  )
  if (stored === undefined) throw noSuchOrder()
  const { order_id, revision, state, currency, reconciled_at, coverage, totals, guarantees, found } = stored
  const cells = stored.lines.slice(0, limit)
  const last = cells.at(-1)
  return ok({
    ...{ order_id, revision: revision ?? 0, state: state ?? 'not_reconciled', currency },
    reconciled_at: reconciled_at && new Date(reconciled_at).toISOString(),
    ...{ coverage: coverage ?? NO_COVERAGE, totals: totals ?? NOTHING, guarantees: guarantees ?? [] },
    lines: cells.flatMap((cell) => lineOf(cell, state, filter) ?? []),
    next_cursor: last !== undefined && found > cells.length ? writeCursor(deps.cursorKey, page.bound, [last.line]) : null,
  } satisfies Reconciliation)
}

const COUNTS = Object.fromEntries(LINE_COUNTS.map((name) => [name, 0])) as Record<LineCount, number>
const NOTHING = { ...COUNTS, ordered_gross: 0, billed_gross: 0, variance_gross: 0 }
const NO_COVERAGE = { days_booked: 0, days_logged: 0, invoiced_months: [], invoices: [] }

/** Returns a line with the requested variances; undefined if it has none of them. */
function lineOf(
  { unit_id, network, air_date, broadcast_month, codes, body, steps }: StoredCell,
  stateOfResult: StoredReconciliation['state'],
  { code, state }: Pick<ReconciliationQuery, 'code' | 'state'>,
): ReconciliationLine | undefined {
  const variances = shownVariances({ state: stateOfResult, body, steps }).filter(
    (each) => (code === undefined || each.code === code) && (state === undefined || each.state === state),
  )
  if (variances.length === 0 && (code !== undefined || state !== undefined)) return undefined
  return { ...(body ?? { unit_id, network, air_date, broadcast_month, ...NOTHING }), codes, variances }
}

export const getReconciledOrders: Handler<undefined, ReconciledOrdersQuery> = async (deps, { caller, query }) => {
  const { after, limit, ...filter } = query
  const bound = ['reconciled', caller.entity, JSON.stringify(filter)]
  const [txid, order_id] = after === undefined ? [] : readCursor(deps.cursorKey, bound, after, 'after')
  const start = txid === undefined ? FIRST_CHANGE : { txid: String(txid), order_id: String(order_id) }
  const { items, last } = await deps.pages.inTurn(caller.entity, () => listReconciledOrders(deps.db, caller, start, { ...filter, limit }))
  return ok({ items, next_cursor: writeCursor(deps.cursorKey, bound, [last.txid, last.order_id]) })
}
