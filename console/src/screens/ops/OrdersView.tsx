import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type OpsOrder, opsHealth, opsOrders } from '../../api/queries/ops.ts'
import type { OpsSearch } from '../../routes/operations.ts'
import { Due, Instant } from '../../ui/Due.tsx'
import { Empty } from '../../ui/Empty.tsx'
import type { Column } from '../../ui/Grid.tsx'
import { Status } from '../../ui/Status.tsx'
import { reasonText } from './figures.ts'
import classes from './Ops.module.css'
import { OpsList } from './OpsList.tsx'
import { OrderBar } from './OrderBar.tsx'

interface ViewProps {
  readonly search: OpsSearch
  readonly set: (next: OpsSearch) => void
}

/** Lists orders that are stuck, overdue or open, or the one with a given id. */
export function OrdersView({ search, set }: ViewProps) {
  const { view = 'stuck', reason, order, active } = search
  const state = view === 'overdue' || view === 'open' ? view : 'stuck'
  const list = useInfiniteQuery(opsOrders({ state, ...(order ? { order_id: order } : reason && { reason }) }))
  return (
    <>
      {state === 'stuck' && order === undefined && <Reasons chosen={reason} choose={(next) => set({ reason: next })} />}
      <OpsList<OpsOrder>
        label="Orders"
        one="order"
        list={list}
        columns={COLUMNS}
        rowId={({ order_id }) => order_id}
        active={active}
        onActive={(id) => set({ active: id })}
        empty={<NoOrders state={state} isOne={order !== undefined} />}
        bar={(row) => <OrderBar key={row.order_id} order={row} isLinked />}
      />
    </>
  )
}

/** Counts stuck orders by reason; choosing a reason filters the list by it. */
function Reasons({ chosen, choose }: { chosen: string | undefined; choose: (reason: string) => void }) {
  const { data } = useQuery(opsHealth)
  const reasons = data?.orders.stuck ?? []
  if (reasons.length === 0) return null
  return (
    <fieldset className={classes.reasons} aria-label="Stuck by reason">
      {reasons.map(({ reason, orders }) => (
        <Button
          key={reason}
          size="compact-sm"
          variant={reason === chosen ? 'filled' : 'default'}
          aria-pressed={reason === chosen}
          onClick={() => choose(reason === chosen ? '' : reason)}
        >
          {reasonText(reason)} {orders}
        </Button>
      ))}
    </fieldset>
  )
}

function NoOrders({ state, isOne }: { state: 'stuck' | 'overdue' | 'open'; isOne: boolean }) {
  if (isOne) return <Empty title="There is no such order">An order id begins with ord_ and is matched whole.</Empty>
  if (state === 'stuck')
    return <Empty title="No order is stuck">Orders come here when a step or a seller's own API makes no progress.</Empty>
  if (state === 'overdue') return <Empty title="No decision is overdue">Orders come here when a seller has not decided in time.</Empty>
  return <Empty title="No order is open">Every order has ended.</Empty>
}

const COLUMNS: readonly Column<OpsOrder>[] = [
  { id: 'id', title: 'Order', width: 250, grow: 1.4, cell: ({ order_id }) => order_id },
  { id: 'reason', title: 'Stuck', width: 150, grow: 1.2, cell: ({ stuck_reason }) => stuck_reason && reasonText(stuck_reason) },
  { id: 'status', title: 'Status', width: 130, grow: 2, cell: ({ status, substatus }) => <Status of={status} substatus={substatus} /> },
  { id: 'seller', title: 'Seller', width: 110, grow: 1, cell: ({ seller }) => seller },
  { id: 'buyer', title: 'Buyer', width: 110, grow: 1, cell: ({ buyer_entity }) => buyer_entity },
  { id: 'waits', title: 'Waits on', width: 76, cell: ({ waits_on }) => waits_on ?? '' },
  { id: 'due', title: 'Due in', width: 120, align: 'right', cell: ({ decide_by }) => decide_by && <Due by={decide_by} /> },
  { id: 'moved', title: 'Last moved', width: 116, align: 'right', cell: ({ updated_at }) => <Instant at={updated_at} /> },
]
