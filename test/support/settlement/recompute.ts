import { afterAll, beforeAll } from '@jest/globals'
import type { ReconcileState } from '../../../src/domain/settlement/reconcileState.ts'
import { type LargeOrders, openLargeOrders } from '../../../src/settlement/largeOrders.ts'
import { recomputeDue } from '../../../src/settlement/recomputeDue.ts'
import type { UsedDatabase } from '../useDatabase.ts'

/** Recomputes what is due of a seller, as the activity does. Failures are thrown unless they are collected. */
export function useRecompute(db: Pick<UsedDatabase, 'url' | 'log'> & UsedDatabase) {
  let largeOrders: LargeOrders
  beforeAll(() => {
    largeOrders = openLargeOrders(db.url)
  })
  afterAll(() => largeOrders.close())
  return async (seller: string, failures?: unknown[]): Promise<ReconcileState> => {
    const found: unknown[] = failures ?? []
    const state = await recomputeDue({ log: db.log, db, largeOrders }, seller, {
      signal: new AbortController().signal,
      onFailure: (_, error) => void found.push(error),
    })
    if (failures === undefined && found.length > 0) throw found[0]
    return state
  }
}
