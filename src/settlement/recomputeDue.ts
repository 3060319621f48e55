import type { ReconcileState } from '../domain/settlement/reconcileState.ts'
import type { Database } from '../store/connection/database.ts'
import { isDatabaseAway } from '../store/connection/databaseFault.ts'
import type { OrderLog } from '../store/orders/orderLog.ts'
import { markNextOrders } from '../store/settlement/markAgreements.ts'
import {
  type DueReconciliation,
  dropMark,
  dueReconciliations,
  postponeReconciliation,
  readReconcileState,
} from '../store/settlement/reconcileQueue.ts'
import { bookOrder } from './bookOrder.ts'
import type { LargeOrders } from './largeOrders.ts'
import { recomputeOrders } from './recomputeOrders.ts'

export interface RecomputeDeps {
  readonly log: OrderLog
  readonly db: Database
  readonly largeOrders: Pick<LargeOrders, 'ask'>
}

export interface RecomputeTurn {
  readonly signal: AbortSignal
  /** Called for an order that fails. It is tried again later. */
  onFailure(order_id: string, error: unknown): void
}

/**
 * Reconciles orders of a seller that are due, some at a time, for a minute at most so that sellers take turns. May be killed anywhere: what is not
 * written is still due. Returns what is left.
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
    const due = await dueReconciliations(db, seller, ORDERS_AT_ONCE)
    const booked = await bookedOf(deps, due, fail)
    let settled = due.length - booked.length
    for (const batch of batchesOf(booked)) {
      if (signal.aborted) break
      settled += isLarge(batch[0]) ? await settleLarge(deps, seller, batch[0], fail) : await settleBatch(db, seller, batch, fail)
    }
    // What is left is being marked at the moment, or has been since it was read.
    if (settled === 0 && !marked) break
  }
  return readReconcileState(db, seller)
}

const TURN_MS = 60_000
const ORDERS_AT_ONCE = 200
/** Rows of orders that are read at once: so few that what is made of them is garbage before it is moved to where memory is seldom freed. */
const ROWS_AT_ONCE = 1_500
/** Spots, rows and lines of an order from which on a thread takes it: the rules take a twentieth of a second for as many. */
const LARGE_FROM = 8_000

type Batch = [DueReconciliation, ...DueReconciliation[]]
type OnFailure = (due: DueReconciliation, error: unknown) => Promise<void>

const isLarge = ({ size }: DueReconciliation) => Math.max(size.matched, size.stored) > LARGE_FROM

/** Books orders whose spots are not written yet, as much of them as can be. Returns those that are to be reconciled now. */
async function bookedOf({ log, db }: RecomputeDeps, due: readonly DueReconciliation[], fail: OnFailure): Promise<DueReconciliation[]> {
  const booked: DueReconciliation[] = []
  for (const one of due) {
    if (one.booked_seq !== null) {
      booked.push(one)
      continue
    }
    // An order that is booked now is marked by that, and comes in the next round. One that cannot be booked has nothing to be reconciled.
    await bookOrder(log, db, one.order_id)
      .then(() => dropMark(db, one))
      .catch((error) => fail(one, error))
  }
  return booked
}

/** Orders that are read together, and then each of the large ones, which hold up no other that way. */
function batchesOf(due: readonly DueReconciliation[]): Batch[] {
  const batches: Batch[] = []
  let rows = 0
  for (const one of due.filter((order) => !isLarge(order))) {
    rows += one.size.matched
    if (batches.length === 0 || rows > ROWS_AT_ONCE) {
      batches.push([one])
      rows = one.size.matched
    } else batches.at(-1)?.push(one)
  }
  return [...batches, ...due.filter(isLarge).map((one): Batch => [one])]
}

/** Returns how many orders are done. If they fail together, each is tried alone. */
async function settleBatch(db: Database, seller: string, batch: Batch, fail: OnFailure): Promise<number> {
  let failed = 0
  const count: OnFailure = async (due, error) => {
    failed += 1
    await fail(due, error)
  }
  try {
    const done = await recomputeOrders(db, seller, batch, count)
    return done.length + failed
  } catch (error) {
    if (batch.length === 1) {
      await fail(batch[0], error)
      return 1
    }
    if (isDatabaseAway(error)) throw error
    let settled = failed
    for (const one of batch) settled += await settleBatch(db, seller, [one], fail)
    return settled
  }
}

async function settleLarge({ largeOrders }: RecomputeDeps, seller: string, due: DueReconciliation, fail: OnFailure): Promise<number> {
  try {
    await largeOrders.ask({ seller, due })
  } catch (error) {
    await fail(due, error)
  }
  return 1
}
