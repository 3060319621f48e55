import { NativeSelect, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useMemo, useRef } from 'react'
import { usePages } from '../../api/pages.ts'
import { type OrderRow, orderCounts, orderList, type Side } from '../../api/queries/orders.ts'
import { useSession } from '../../api/session.ts'
import { OrderFilters } from '../../order/OrderFilters.tsx'
import { apiFilter, type FilterChange, isFiltered } from '../../order/orderFilter.ts'
import type { OrdersSearch } from '../../routes/orders.ts'
import { Empty } from '../../ui/Empty.tsx'
import { Grid } from '../../ui/Grid.tsx'
import { useKeys } from '../../ui/keys.ts'
import { ListFault } from '../../ui/ListFault.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { countText } from '../../ui/Money.tsx'
import { Page } from '../../ui/Page.tsx'
import { rowKeys } from '../../ui/rowKeys.ts'
import { statusWord } from '../../ui/Status.tsx'
import { withoutEmpty } from '../../ui/search.ts'
import { useActive } from '../../ui/useActive.ts'
import { useCancel } from './CancelOrder.tsx'
import { columnsOf } from './columns.tsx'

const route = getRouteApi('/orders')
const TYPING_MS = 200

/** The order book of either side, filtered by the search parameters of the address. */
export function Orders() {
  const side = useSession().side as Side
  const search = route.useSearch()
  const navigate = useNavigate()
  const filter = useRef<HTMLInputElement>(null)
  const { rows, list, more, filter: listed } = useOrders(side, search)
  const columns = useMemo(() => columnsOf(side), [side])
  const open = (id: string) => void navigate({ to: '/orders/$id', params: { id } })
  const ids = rows.map(({ order_id }) => order_id)
  const { active, isListed, mark, step } = useActive(ids, search.active, listed)
  const current = isListed ? active : undefined
  const cancel = useCancel(
    side,
    rows.find(({ order_id }) => order_id === current),
  )
  const set = (next: FilterChange | OrdersSearch) => {
    if ('active' in next) mark(next.active === '' ? undefined : next.active)
    void navigate({ from: '/orders', to: '/orders', search: (before) => withoutEmpty({ ...before, ...next }), replace: true })
  }
  useKeys('Orders', [
    ...rowKeys('order', (by) => set({ active: step(by) ?? '' })),
    { keys: 'Enter', does: 'Open the order', run: () => current !== undefined && open(current) },
    ...cancel.keys,
    { keys: '/', does: 'Filter', run: () => filter.current?.focus() },
  ])
  const filters = <OrderFilters side={side} search={search} set={set} inputRef={filter} placeholder="Order id begins with ..." />
  return (
    <Page
      title={<Title side={side} />}
      name="Orders"
      aside={
        <>
          <Selects search={search} set={set} />
          {filters}
        </>
      }
    >
      <ListFault list={list} isEmpty={rows.length === 0} />
      {list.isPending && <Loading />}
      {list.isSuccess && rows.length === 0 && <NoOrders isFiltered={isNarrowed(search)} side={side} />}
      {rows.length > 0 && (
        <Grid<OrderRow>
          label="Orders"
          columns={columns}
          rows={rows}
          rowId={rowId}
          active={current}
          onActive={(id) => set({ active: id })}
          onOpen={open}
          onEnd={more}
        />
      )}
      {cancel.dialog}
    </Page>
  )
}

/** Counts the open orders by the party that they wait for. */
function Title({ side }: { side: Side }) {
  const { data } = useQuery(orderCounts(side))
  if (data === undefined) return 'Orders'
  const { waiting_on, overdue, complete } = data
  const other = side === 'seller' ? 'buyer' : 'seller'
  return (
    <>
      Orders{' '}
      <Text span c="dimmed" size="sm">
        {countText(waiting_on[side], 'waits', 'wait')} for you, {waiting_on[other]} for the {other}
        {overdue > 0 && `, ${overdue} overdue`}
        {!complete && ' of the first 10,000'}
      </Text>
    </>
  )
}

function useOrders(side: Side, search: OrdersSearch) {
  const { q = '', status, waits } = search
  const wanted = { ...apiFilter(side, search), q, ...(status && { status: [status] }), ...(waits && { waiting_on: waits }) }
  const text = JSON.stringify(wanted)
  const [typed] = useDebouncedValue(text, TYPING_MS)
  const pages = usePages({ ...orderList(side, JSON.parse(typed) as typeof wanted), placeholderData: keepPreviousData }, ordersOf)
  const isRead = pages.list.isSuccess && !pages.list.isPlaceholderData && typed === text
  return { ...pages, filter: isRead ? typed : undefined }
}

function ordersOf({ orders }: { orders: OrderRow[] }): OrderRow[] {
  return orders
}

function Selects({ search: { status, waits }, set }: { search: OrdersSearch; set: (next: OrdersSearch) => void }) {
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label="Status"
        value={status ?? ''}
        onChange={(event) => set({ status: event.currentTarget.value as NonNullable<OrdersSearch['status']> })}
        data={[{ value: '', label: 'Every status' }, ...STATUSES.map((value) => ({ value, label: statusWord(value) }))]}
      />
      <NativeSelect
        size="xs"
        aria-label="Waits on"
        value={waits ?? ''}
        onChange={(event) => set({ waits: event.currentTarget.value as NonNullable<OrdersSearch['waits']> })}
        data={WAITS}
      />
    </>
  )
}

function NoOrders({ isFiltered: isNarrow, side }: { isFiltered: boolean; side: Side }) {
  if (isNarrow) return <Empty title="No order matches">Clear the filter to see all of them.</Empty>
  if (side === 'seller') return <Empty title="No orders yet">They come here when buyers order what you publish.</Empty>
  return (
    <Empty title="No orders yet">
      <Link to="/find">Find something to order</Link>, or place the first one with POST /v1/orders.
    </Empty>
  )
}

const STATUSES = [
  'seller_review',
  'negotiating',
  'needs_confirmation',
  'placed',
  'submitted',
  'validating',
  'confirmed',
  'canceled',
  'rejected',
  'failed',
] as const

const WAITS = [
  { value: '', label: 'Waits on anybody' },
  { value: 'seller', label: 'Waits on the seller' },
  { value: 'buyer', label: 'Waits on the buyer' },
  { value: 'platform', label: 'Waits on the platform' },
]

function isNarrowed(search: OrdersSearch): boolean {
  return isFiltered(search) || search.status !== undefined || search.waits !== undefined
}

function rowId({ order_id }: OrderRow): string {
  return order_id
}
