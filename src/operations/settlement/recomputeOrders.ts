import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../../store/connection/database.ts'
import { type ReconciledHead, readHeads, readRows } from '../../store/settlement/readToReconcile.ts'
import type { DueReconciliation } from '../../store/settlement/reconcileQueue.ts'
import { LINES_PER_BATCH, type MarkedResult, saveReconciliations } from '../../store/settlement/saveReconciliations.ts'
import { relatedOrdersReader } from './readRelatedOrders.ts'
import { reconciledOrder } from './reconciledOrder.ts'

type Pool = Pick<Database, 'pool'>

/** How a recompute reports its orders. An order that it does not report stays due. */
export interface Recomputing {
  readonly signal?: AbortSignal | undefined
  onFailure(due: DueReconciliation, error: unknown): Promise<void>
  /** Called with the orders that are no longer due. */
  onDone(orderIds: readonly string[]): void
}

/**
 * Reconciles orders of a seller and writes the results that have changed. Reads rows in batches, so that memory stays small, and writes
 * results in transactions of about as many lines as one may write. Skips orders that are not booked; one that fails delays no others.
 * Starts nothing further once `signal` aborts.
 */
export async function recomputeOrders(
  db: Pool,
  seller: string,
  due: readonly DueReconciliation[],
  { signal, onFailure, onDone }: Recomputing,
): Promise<void> {
  const dueById = new Map(due.map((one) => [one.order_id, one]))
  const heads = await readHeads(db, seller, [...dueById.keys()])
  const relatedOrders = relatedOrdersReader(db, seller)
  const group = openGroup(async (results) => onDone(await saveReconciliations(db, seller, results)))
  // Each part has its own call: a loop would hold what it has read of one part while it waits for the next.
  const recompute = async (part: readonly ReconciledHead[]) => {
    const orders = await readRows(db, part)
    const relatedOrdersOf = await relatedOrders(orders)
    let since = performance.now()
    for (const order of orders) {
      const one = dueById.get(order.head.order_id) as DueReconciliation
      const reconciled = attempt(() => reconciledOrder(order, relatedOrdersOf(order)))
      if ('error' in reconciled) await onFailure(one, reconciled.error)
      else await group.add({ result: reconciled.value, mark: one.mark })
      if (performance.now() - since < TURN_MS) continue
      await nextTurn()
      since = performance.now()
    }
  }
  for (const part of partsOf(heads, dueById)) {
    if (signal?.aborted) break
    await recompute(part)
  }
  await group.save()
}

function attempt<T>(work: () => T): { value: T } | { error: unknown } {
  try {
    return { value: work() }
  } catch (error) {
    return { error }
  }
}

/** Collects results, and saves them once they have about as many lines as a transaction writes. */
function openGroup(saveAll: (results: readonly MarkedResult[]) => Promise<void>) {
  let results: MarkedResult[] = []
  let lines = 0
  const save = async () => {
    const group = results
    results = []
    lines = 0
    if (group.length > 0) await saveAll(group)
  }
  return {
    save,
    async add(marked: MarkedResult) {
      if (lines + marked.result.lines.length > LINES_PER_BATCH) await save()
      results.push(marked)
      lines += marked.result.lines.length
    },
  }
}

/** How long the process works before it serves anything else. */
const TURN_MS = 20

/** Rows read together: few enough that their objects become garbage before V8 moves them to where memory is seldom freed. */
const ROWS_PER_BATCH = 1_500

function partsOf(heads: readonly ReconciledHead[], dueById: ReadonlyMap<string, DueReconciliation>): ReconciledHead[][] {
  const parts: ReconciledHead[][] = []
  let rows = 0
  for (const head of heads) {
    const { matched } = (dueById.get(head.order_id) as DueReconciliation).size
    rows += matched
    if (parts.length === 0 || rows > ROWS_PER_BATCH) {
      parts.push([])
      rows = matched
    }
    parts.at(-1)?.push(head)
  }
  return parts
}
