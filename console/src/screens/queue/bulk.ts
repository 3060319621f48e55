import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { Fault } from '../../api/fault.ts'
import { decideOrder, type OrderRow } from '../../api/queries/orders.ts'
import { useSession } from '../../api/session.ts'

export type Outcome = { readonly state: 'waiting' | 'approved' } | { readonly state: 'refused'; readonly why: string }

export interface BulkRow {
  readonly order: OrderRow
  readonly outcome: Outcome
}

const IN_FLIGHT = 4

/** Approves many orders, a few at a time, each in the state that the user saw. A changed order is refused, and the rest continue. */
export function useBulkApprove(): {
  rows: readonly BulkRow[]
  isRunning: boolean
  start: (orders: readonly OrderRow[]) => void
  clear: () => void
} {
  const { name } = useSession()
  const queries = useQueryClient()
  const [rows, setRows] = useState<readonly BulkRow[]>([])
  const start = useCallback(
    (orders: readonly OrderRow[]) => {
      setRows(orders.map((order) => ({ order, outcome: { state: 'waiting' } })))
      const settle = (order: OrderRow, outcome: Outcome) =>
        setRows((before) => before.map((row) => (row.order.order_id === order.order_id ? { order, outcome } : row)))
      const left = [...orders]
      const lane = async () => {
        for (let order = left.shift(); order !== undefined; order = left.shift()) settle(order, await approve(order, name))
      }
      void Promise.all(Array.from({ length: IN_FLIGHT }, lane)).then(() => queries.invalidateQueries({ queryKey: ['orders'] }))
    },
    [name, queries],
  )
  return { rows, isRunning: rows.some(({ outcome }) => outcome.state === 'waiting'), start, clear: () => setRows([]) }
}

async function approve({ order_id, last_seq }: OrderRow, actor: string): Promise<Outcome> {
  try {
    await decideOrder({ orderId: order_id, lastSeq: last_seq, body: { decision: 'approve', actor } })
    return { state: 'approved' }
  } catch (error) {
    return { state: 'refused', why: error instanceof Fault ? error.message : String(error) }
  }
}
