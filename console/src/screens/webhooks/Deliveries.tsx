import type { Delivery } from '../../api/queries/webhooks.ts'
import { Instant } from '../../ui/Due.tsx'
import { type Column, Grid } from '../../ui/Grid.tsx'
import { DeliveryState } from './state.tsx'

interface DeliveriesProps {
  rows: readonly Delivery[]
  active: string | undefined
  onActive: (id: string) => void
  onEnd: () => void
}

/** Lists the deliveries, newest first. */
export function Deliveries({ rows, active, onActive, onEnd }: DeliveriesProps) {
  return (
    <Grid<Delivery>
      label="Deliveries"
      columns={COLUMNS}
      rows={rows}
      rowId={({ delivery_id }) => delivery_id}
      active={active}
      onActive={onActive}
      onEnd={onEnd}
    />
  )
}

const COLUMNS: readonly Column<Delivery>[] = [
  { id: 'state', title: 'State', width: 190, grow: 1, cell: (delivery) => <DeliveryState delivery={delivery} /> },
  { id: 'event', title: 'Event', width: 190, grow: 2, cell: ({ event_type }) => event_type },
  { id: 'order', title: 'Order', width: 140, grow: 2, cell: ({ order_id }) => order_id ?? '' },
  { id: 'attempts', title: 'Attempts', width: 72, align: 'right', cell: ({ attempts }) => attempts.length },
  { id: 'reply', title: 'Last reply', width: 110, align: 'right', cell: ({ attempts }) => lastReply(attempts) },
  { id: 'created', title: 'Created', width: 116, align: 'right', cell: ({ created_at }) => <Instant at={created_at} /> },
]

function lastReply(attempts: Delivery['attempts']): string {
  const last = attempts.at(-1)
  return last === undefined ? '' : String(last.status_code ?? last.error ?? '')
}
