import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../store/connection/database.ts'
import { readToReconcile } from '../store/settlement/readToReconcile.ts'
import type { DueReconciliation } from '../store/settlement/reconcileQueue.ts'
import { LINES_AT_ONCE, type MarkedResult, saveReconciliations } from '../store/settlement/saveReconciliations.ts'
import { readSurroundings } from './readSurroundings.ts'
import { reconciledOrder } from './reconciledOrder.ts'

type Pool = Pick<Database, 'pool'>
type OnFailure = (due: DueReconciliation, error: unknown) => Promise<void>

/**
 * Reconciles orders of a seller and writes the results that have changed. Orders that are not booked are left out, and one that fails holds up no
 * other. Returns the orders that are no longer due.
 */
export async function recomputeOrders(
  db: Pool,
  seller: string,
  due: readonly DueReconciliation[],
  onFailure: OnFailure,
): Promise<string[]> {
  const dueById = new Map(due.map((one) => [one.order_id, one]))
  const orders = await readToReconcile(db, seller, [...dueById.keys()])
  const surroundingsOf = await readSurroundings(db, seller, orders)
  const results: MarkedResult[] = []
  let since = performance.now()
  for (const order of orders) {
    const { mark } = dueById.get(order.head.order_id) as DueReconciliation
    try {
      results.push({ result: reconciledOrder(order, surroundingsOf(order)), mark })
    } catch (error) {
      await onFailure(dueById.get(order.head.order_id) as DueReconciliation, error)
    }
    if (performance.now() - since < TURN_MS) continue
    await nextTurn()
    since = performance.now()
  }
  const saved: string[] = []
  for (const group of groupsOf(results)) saved.push(...(await saveReconciliations(db, seller, group)))
  return saved
}

/** For which the process does nothing else. */
const TURN_MS = 20

/** Results of about as many lines as a transaction writes. */
function groupsOf(results: readonly MarkedResult[]): MarkedResult[][] {
  const groups: MarkedResult[][] = []
  let lines = 0
  for (const marked of results) {
    lines += marked.result.lines.length
    if (groups.length === 0 || lines > LINES_AT_ONCE) {
      groups.push([])
      lines = marked.result.lines.length
    }
    groups.at(-1)?.push(marked)
  }
  return groups
}
