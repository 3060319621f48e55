import { threadFile } from '../../adapters/processes/ownModule.ts'
import { openTaskThread, type TaskThread } from '../../adapters/processes/taskThread.ts'
import type { DueReconciliation } from '../../store/settlement/reconcileQueue.ts'

/** An order that takes seconds to read, match and write. */
export interface LargeOrder {
  readonly seller: string
  readonly due: DueReconciliation
}

/** Recomputes large orders one after another in a thread. */
export type LargeOrders = TaskThread<LargeOrder, void>

const LONGEST_MS = 5 * 60_000
const HEAP_MIB = 1_536

export function openLargeOrders(databaseUrl: string): LargeOrders {
  return openTaskThread({ entry: ENTRY, longestMs: LONGEST_MS, heapMib: HEAP_MIB, env: process.env, workerData: { databaseUrl } })
}

const ENTRY = threadFile({ path: './recomputeThread', from: import.meta.url })
