import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useEveryPage, usePages } from '../../api/pages.ts'
import type { Side } from '../../api/queries/orders.ts'
import { type ReconciledOrder, reconciledOrders } from '../../api/queries/settlement.ts'
import { Instant } from '../../ui/Due.tsx'
import { Empty } from '../../ui/Empty.tsx'
import type { Column } from '../../ui/Grid.tsx'
import { ListFault } from '../../ui/ListFault.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Money } from '../../ui/Money.tsx'
import type { ViewProps } from './InvoicesView.tsx'
import { ListGrid } from './ListGrid.tsx'
import { useSave } from './useSave.ts'
import { codeText } from './varianceGrid.ts'

/** Lists reconciled orders: first those that differ, the most money first, then those of which nothing is due yet or nothing differs. */
export function VariancesView({ side, search: { code, month, active }, set, onSave }: ViewProps) {
  const navigate = useNavigate()
  const filter = { ...(code && { code }), ...(month && { broadcast_month: month }) }
  const { rows: oldestFirst, list } = usePages({ ...reconciledOrders(side, filter), placeholderData: keepPreviousData }, ordersOf)
  useEveryPage(list)
  // The API lists the newest order last, so no row can be shown in its place until the whole list has been read.
  const isReading = list.isPending || (list.hasNextPage && !list.isFetchNextPageError)
  const rows = useMemo(() => (isReading ? [] : oldestFirst.toReversed().toSorted(byMoney)), [isReading, oldestFirst])
  const columns = useMemo(() => columnsOf(side), [side])
  useSave(onSave, {
    name: 'orders-by-variance.csv',
    head: HEAD,
    isEmpty: list.hasNextPage || rows.length === 0,
    read: () => rows.map(savedOf),
  })
  return (
    <>
      <ListFault list={list} isEmpty={rows.length === 0} />
      {isReading && <Loading />}
      {list.isSuccess && !isReading && rows.length === 0 && <NoOrders isFiltered={Boolean(code || month)} side={side} />}
      <ListGrid<ReconciledOrder>
        label="Orders by variance"
        one="order"
        rows={rows}
        columns={columns}
        rowId={({ order_id }) => order_id}
        active={active}
        onActive={(id) => set({ active: id })}
        onOpen={(id) =>
          void navigate({ to: '/settlement/orders/$id', params: { id }, search: { ...(code && { code }), ...(month && { month }) } })
        }
      />
    </>
  )
}

/** Whether the order differs from what was ordered; what is neither aired nor billed yet is not a variance. */
function isVarying({ codes }: ReconciledOrder): boolean {
  return codes.length > 0
}

function byMoney(one: ReconciledOrder, other: ReconciledOrder): number {
  const [mine, theirs] = [isVarying(one), isVarying(other)]
  if (mine !== theirs) return mine ? -1 : 1
  return mine ? Math.abs(other.totals.variance_gross) - Math.abs(one.totals.variance_gross) : 0
}

function ordersOf({ items }: { items: ReconciledOrder[] }): ReconciledOrder[] {
  return items
}

function NoOrders({ isFiltered, side }: { isFiltered: boolean; side: Side }) {
  if (isFiltered) return <Empty title="No order matches">Clear the code or the month to see all of them.</Empty>
  if (side === 'seller')
    return (
      <Empty title="Nothing is reconciled yet">
        Send logs and invoices as a drop of delivery_posts; placed orders are matched with them.
      </Empty>
    )
  return <Empty title="Nothing is reconciled yet">Orders come here when their seller sends logs and invoices.</Empty>
}

function columnsOf(side: Side): Column<ReconciledOrder>[] {
  const count = (id: 'ordered' | 'aired_in_spec' | 'missed' | 'billed', title: string): Column<ReconciledOrder> => ({
    id,
    title,
    width: 72,
    align: 'right',
    cell: ({ totals }) => totals[id],
  })
  return [
    { id: 'order', title: 'Order', width: 240, grow: 1.2, cell: ({ order_id }) => order_id },
    side === 'seller'
      ? { id: 'buyer', title: 'Buyer', width: 120, grow: 1, cell: ({ buyer_entity }) => buyer_entity }
      : { id: 'seller', title: 'Seller', width: 120, grow: 1, cell: ({ seller }) => seller },
    { id: 'months', title: 'Months', width: 90, cell: ({ broadcast_months }) => broadcast_months.join(', ') },
    count('ordered', 'Ordered'),
    count('aired_in_spec', 'In spec'),
    count('missed', 'Missed'),
    count('billed', 'Billed'),
    {
      id: 'variance',
      title: 'Variance',
      width: 130,
      align: 'right',
      cell: (row) => (isVarying(row) ? <Money amount={row.totals.variance_gross} currency={row.currency} /> : notYetText(row)),
    },
    { id: 'codes', title: 'Codes', width: 200, grow: 2, cell: ({ codes }) => codes.map(codeText).join(', ') || 'none' },
    { id: 'at', title: 'Reconciled', width: 116, align: 'right', cell: ({ reconciled_at: at }) => at && <Instant at={at} /> },
  ]
}

function notYetText({ totals }: ReconciledOrder): string {
  return totals.open > 0 || totals.billed < totals.ordered ? 'not due yet' : 'none'
}

const HEAD = [
  'order_id',
  'seller',
  'buyer_entity',
  'broadcast_months',
  'currency',
  'ordered',
  'aired_in_spec',
  'missed',
  'billed',
  'ordered_gross',
  'billed_gross',
  'variance_gross',
  'codes',
]

function savedOf({ order_id, seller, buyer_entity, broadcast_months, currency, totals, codes }: ReconciledOrder) {
  const { ordered, aired_in_spec, missed, billed, ordered_gross, billed_gross, variance_gross } = totals
  const counts = [ordered, aired_in_spec, missed, billed, ordered_gross, billed_gross, variance_gross]
  return [order_id, seller, buyer_entity, broadcast_months.join(' '), currency, ...counts, codes.join(' ')]
}
