import { threadFile } from '../adapters/ownModule.ts'
import { openTaskThread, type TaskThread } from '../adapters/taskThread.ts'
import type { DueReconciliation } from '../store/settlement/reconcileQueue.ts'

/** An order of which reading, matching and writing take seconds. */
export interface LargeOrder {
  readonly seller: string
  readonly due: DueReconciliation
}

/** Recomputes large orders in a thread, one after another. */
export type LargeOrders = TaskThread<LargeOrder, void>

const LONGEST_MS = 5 * 60_000
const HEAP_MIB = 1_536

export function openLargeOrders(databaseUrl: string): LargeOrders {
  return openTaskThread({ entry: ENTRY, longestMs: LONGEST_MS, heapMib: HEAP_MIB, env: process.env, workerData: { databaseUrl } })
}

const ENTRY = threadFile({ path: './recomputeThread', from: import.meta.url })
