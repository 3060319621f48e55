import type { ReconcileState } from '../../domain/settlement/reconcileState.ts'
import type { Database } from '../../store/connection/database.ts'
import { isDatabaseAway } from '../../store/connection/databaseFault.ts'
import type { OrderLog } from '../../store/orders/orderLog.ts'
import { markNextOrders } from '../../store/settlement/markAgreements.ts'
import {
  type DueReconciliation,
  dropMark,
  dueReconciliations,
  LARGE_FROM,
  postponeReconciliation,
  readReconcileState,
} from '../../store/settlement/reconcileQueue.ts'
import { bookOrder } from './bookOrder.ts'
import type { LargeOrders } from './largeOrders.ts'
import { noticeFromLogs } from './noticeFromLogs.ts'
import { type Recomputing, recomputeOrders } from './recomputeOrders.ts'

export interface RecomputeDeps {
  readonly log: OrderLog
  readonly db: Database
  readonly largeOrders: Pick<LargeOrders, 'ask'>
}

export interface RecomputeTurn {
  readonly signal: AbortSignal
  /** Called with each order that fails. The order is tried again later. */
  onFailure(order_id: string, error: unknown): void
}

/**
 * Reconciles a seller's due orders in batches, for at most a minute so that sellers take turns. May be killed anywhere: results that are
 * not written leave their orders due. Returns what is left.
 */
export async function recomputeDue(deps: RecomputeDeps, seller: string, { signal, onFailure }: RecomputeTurn): Promise<ReconcileState> {
  const { db } = deps
  const fail = async ({ order_id, mark }: DueReconciliation, error: unknown) => {
    if (isDatabaseAway(error)) throw error
    onFailure(order_id, error)
    await postponeReconciliation(db, order_id, mark, error instanceof Error ? error.message : String(error))
  }
  const until = performance.now() + TURN_MS
  while (!signal.aborted && performance.now() < until) {
    const marked = await markNextOrders(db, seller)
    const due = await dueReconciliations(db, seller, ORDERS_PER_BATCH)
    const booked = await bookedOf(deps, due, fail)
    const usual = booked.filter((one) => !isLarge(one))
    let settled = due.length - booked.length + (await reconcileTogether({ db, seller, fail, signal }, usual))
    // Each large order runs alone, so that it delays no others.
    for (const one of booked.filter(isLarge)) {
      if (signal.aborted) break
      settled += await reconcileLarge(deps, seller, one, fail)
    }
    await noticeFromLogs(
      deps,
      seller,
      booked.map(({ order_id }) => order_id),
    )
    // Stop: the remaining orders are being marked now, or have been marked since they were read.
    if (settled === 0 && !marked) break
  }
  return readReconcileState(db, seller)
}

const TURN_MS = 60_000
const ORDERS_PER_BATCH = 200

type OnFailure = (due: DueReconciliation, error: unknown) => Promise<void>

interface Settling {
  readonly db: Database
  readonly seller: string
  readonly fail: OnFailure
  readonly signal: AbortSignal
}

const isLarge = ({ size }: DueReconciliation) => size.matched > LARGE_FROM || size.hasManyLines

/** Books orders whose spots are not written yet, except those that fail. Returns the orders to reconcile now. */
async function bookedOf({ log, db }: RecomputeDeps, due: readonly DueReconciliation[], fail: OnFailure): Promise<DueReconciliation[]> {
  const booked: DueReconciliation[] = []
  for (const one of due) {
    if (one.booked_seq !== null) {
      booked.push(one)
      continue
    }
    // Booking marks an order, which then comes in the next round. An order that cannot be booked has nothing to reconcile.
    await bookOrder(log, db, one.order_id)
      .then(() => dropMark(db, one))
      .catch((error) => fail(one, error))
  }
  return booked
}

/** Reconciles orders together; if that fails, tries each remaining order alone. Returns how many are done. */
async function reconcileTogether(settling: Settling, due: readonly DueReconciliation[]): Promise<number> {
  const { db, seller, fail, signal } = settling
  if (due.length === 0) return 0
  const left = new Map(due.map((one) => [one.order_id, one]))
  const recomputing: Recomputing = {
    signal,
    onFailure(one, error) {
      left.delete(one.order_id)
      return fail(one, error)
    },
    onDone(orderIds) {
      for (const orderId of orderIds) left.delete(orderId)
    },
  }
  try {
    await recomputeOrders(db, seller, due, recomputing)
    return due.length - left.size
  } catch (error) {
    if (isDatabaseAway(error)) throw error
    const [one, ...others] = due
    if (one !== undefined && others.length === 0) {
      await recomputing.onFailure(one, error)
      return 1
    }
    let settled = due.length - left.size
    for (const each of [...left.values()]) settled += await reconcileTogether(settling, [each])
    return settled
  }
}

async function reconcileLarge({ largeOrders }: RecomputeDeps, seller: string, due: DueReconciliation, fail: OnFailure): Promise<number> {
  try {
    await largeOrders.ask({ seller, due })
  } catch (error) {
    await fail(due, error)
  }
  return 1
}
