import { useState } from 'react'
import { useDownSince } from '../../api/health.ts'
import type { OrderRow } from '../../api/queries/orders.ts'
import { useBulkApprove } from './bulk.ts'

/** Holds the selected orders and approves them. */
export function useSelection(rows: readonly OrderRow[]) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const isDown = useDownSince() !== undefined
  const bulk = useBulkApprove()
  const chosen = rows.filter(({ order_id }) => selected.has(order_id))
  const clear = () => setSelected(new Set())
  return {
    selected,
    chosen,
    bulk,
    clear,
    toggle: (id: string) => setSelected((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id])),
    approve: () => {
      if (isDown) return
      bulk.start(chosen)
      clear()
    },
  }
}
