import { NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type Ref, useCallback, useMemo, useRef } from 'react'
import { type OrderRow, orderList, type Side } from '../../api/queries/orders.ts'
import { useSession } from '../../api/session.ts'
import type { OrdersSearch } from '../../routes.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { Grid, neighbor } from '../../ui/Grid.tsx'
import { useKeys } from '../../ui/keys.ts'
import { Loading } from '../../ui/Loading.tsx'
import { Page } from '../../ui/Page.tsx'
import { statusWord } from '../../ui/Status.tsx'
import { withoutEmpty } from '../../ui/search.ts'
import { columnsOf } from './columns.tsx'

const route = getRouteApi('/orders')
const TYPING_MS = 200

/** The order book of either side, filtered by what the address says. */
export function Orders() {
  const side = useSession().side as Side
  const search = route.useSearch()
  const { active } = search
  const navigate = useNavigate()
  const filter = useRef<HTMLInputElement>(null)
  const { rows, list, more } = useOrders(side, search)
  const columns = useMemo(() => columnsOf(side), [side])
  const set = (next: OrdersSearch) =>
    void navigate({ from: '/orders', to: '/orders', search: (before) => withoutEmpty({ ...before, ...next }), replace: true })
  const open = (id: string) => void navigate({ to: '/orders/$id', params: { id } })
  const ids = rows.map(({ order_id }) => order_id)
  const current = active !== undefined && ids.includes(active) ? active : ids[0]
  const move = (step: number) => set({ active: neighbor(ids, current, step) ?? '' })
  useKeys('Orders', [
    { keys: 'j', does: 'Next order', run: () => move(1) },
    { keys: 'k', does: 'Previous order', run: () => move(-1) },
    { keys: 'ArrowDown', does: 'Next order', run: () => move(1) },
    { keys: 'ArrowUp', does: 'Previous order', run: () => move(-1) },
    { keys: 'Enter', does: 'Open the order', run: () => current !== undefined && open(current) },
    { keys: '/', does: 'Filter', run: () => filter.current?.focus() },
  ])
  return (
    <Page title="Orders" aside={<Filters inputRef={filter} search={search} set={set} />}>
      <FaultAlert error={rows.length === 0 ? list.error : null} retry={() => void list.refetch()} />
      {list.isPending && <Loading />}
      {list.isSuccess && rows.length === 0 && <NoOrders isFiltered={isFiltered(search)} side={side} />}
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
    </Page>
  )
}

function useOrders(side: Side, { q = '', status, waits }: OrdersSearch) {
  const [typed] = useDebouncedValue(q, TYPING_MS)
  const list = useInfiniteQuery({
    ...orderList(side, { q: typed, ...(status && { status: [status] }), ...(waits && { waiting_on: waits }) }),
    placeholderData: keepPreviousData,
  })
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const rows = useMemo(() => (data?.pages ?? []).flatMap(({ orders }) => orders), [data])
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return { rows, list, more }
}

interface FiltersProps {
  inputRef: Ref<HTMLInputElement>
  search: OrdersSearch
  set: (next: OrdersSearch) => void
}

function Filters({ inputRef, search: { q = '', status, waits }, set }: FiltersProps) {
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
      <TextInput
        ref={inputRef}
        size="xs"
        type="search"
        aria-label="Filter by order id"
        placeholder="Order id begins with ..."
        w={200}
        value={q}
        onChange={(event) => set({ q: event.currentTarget.value })}
      />
    </>
  )
}

function NoOrders({ isFiltered, side }: { isFiltered: boolean; side: Side }) {
  if (isFiltered) return <Empty title="No order matches">Clear the filter to see all of them.</Empty>
  if (side === 'seller') return <Empty title="No orders yet">They come here when buyers order what you publish.</Empty>
  return <Empty title="No orders yet">Place the first one with POST /v1/orders; the API reference shows a body to start from.</Empty>
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

function isFiltered({ q, status, waits }: OrdersSearch): boolean {
  return [q, status, waits].some((value) => value !== undefined)
}

function rowId({ order_id }: OrderRow): string {
  return order_id
}
