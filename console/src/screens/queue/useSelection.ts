import { useState } from 'react'
import type { OrderRow } from '../../api/queries/orders.ts'
import { neighbor } from '../../ui/Grid.tsx'

/** The selected orders, each as its user saw it. Those that have left the queue stay selected, so that no other order takes their place. */
export function useSelection(rows: readonly OrderRow[]) {
  const [selected, setSelected] = useState<ReadonlyMap<string, OrderRow>>(new Map())
  const listed = new Set(rows.map(({ order_id }) => order_id))
  const all = [...selected.values()]
  const add = (more: readonly OrderRow[]) =>
    setSelected((before) => new Map([...before, ...more.map((row) => [row.order_id, before.get(row.order_id) ?? row] as const)]))
  return {
    selected: new Set(selected.keys()),
    chosen: all.filter(({ order_id }) => listed.has(order_id)),
    gone: all.filter(({ order_id }) => !listed.has(order_id)),
    clear: () => setSelected(new Map()),
    toggle: (id: string) =>
      setSelected((before) => {
        const row = rows.find(({ order_id }) => order_id === id)
        const others = [...before].filter(([one]) => one !== id)
        return new Map(before.has(id) || row === undefined ? others : [...others, [id, row]])
      }),
    /** Selects these orders alone. */
    select: (these: readonly OrderRow[]) => setSelected(new Map(these.map((row) => [row.order_id, row]))),
    /** Selects every order of the list, which the filter has narrowed. */
    selectAll: () => add(rows),
    /** Selects the order and the one after it, or before it; returns the id of that. */
    extend: (id: string, step: number): string | undefined => {
      const next = neighbor(
        rows.map(({ order_id }) => order_id),
        id,
        step,
      )
      add(rows.filter(({ order_id }) => order_id === id || order_id === next))
      return next
    },
  }
}
