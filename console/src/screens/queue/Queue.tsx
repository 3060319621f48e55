import { Text, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { type Order, type OrderRow, orderList } from '../../api/queries/orders.ts'
import { ConflictNote } from '../../order/ConflictNote.tsx'
import { Due } from '../../ui/Due.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { type Column, Grid, neighbor } from '../../ui/Grid.tsx'
import { useKeys } from '../../ui/keys.ts'
import { Loading } from '../../ui/Loading.tsx'
import { Money } from '../../ui/Money.tsx'
import { Page } from '../../ui/Page.tsx'
import { withoutEmpty } from '../../ui/search.ts'
import { BulkBar, BulkResult } from './BulkBar.tsx'
import { useBulkApprove } from './bulk.ts'
import classes from './Queue.module.css'
import { QueueDetail } from './QueueDetail.tsx'
import { byDeadline, isOverdue, matches } from './rules.ts'

const route = getRouteApi('/queue')

/** What waits for the seller, the next deadline first, decided one by one or many at once. */
export function Queue() {
  const { q = '', order } = route.useSearch()
  const navigate = useNavigate()
  const list = useQueue()
  const rows = useMemo(() => list.rows.filter((row) => matches(row, q)).sort(byDeadline), [list.rows, q])
  const ids = rows.map(({ order_id }) => order_id)
  const [isInLines, setInLines] = useState(false)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [refused, setRefused] = useState<{ order: Order; meant: string }>()
  const bulk = useBulkApprove()
  const search = useRef<HTMLInputElement>(null)
  const active = useActive(ids, order)
  const chosen = rows.filter(({ order_id }) => selected.has(order_id))
  const set = (next: { q?: string; order?: string }) =>
    void navigate({ from: '/queue', to: '/queue', search: (before) => withoutEmpty({ ...before, ...next }), replace: true })
  const move = (step: number) => set({ order: neighbor(ids, active, step) ?? '' })
  const toggle = (id: string) =>
    setSelected((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]))
  const approveChosen = () => {
    bulk.start(chosen)
    setSelected(new Set())
  }
  useKeys('Queue', [
    { keys: 'j', does: 'Next order', run: () => move(1) },
    { keys: 'k', does: 'Previous order', run: () => move(-1) },
    { keys: 'ArrowDown', does: 'Next order', run: () => move(1) },
    { keys: 'ArrowUp', does: 'Previous order', run: () => move(-1) },
    { keys: 'Enter', does: 'Go to the lines of the order', run: () => setInLines(true) },
    { keys: 'x', does: 'Select the order', run: () => active !== undefined && toggle(active) },
    {
      keys: 'o',
      does: 'Open the whole order',
      run: () => active !== undefined && void navigate({ to: '/orders/$id', params: { id: active } }),
    },
    { keys: '/', does: 'Filter', run: () => search.current?.focus() },
    ...(chosen.length > 0 ? [{ keys: 'mod+Enter', does: 'Approve the selected orders', run: approveChosen }] : []),
  ])
  return (
    <Page
      title={<Title count={rows.length} overdue={rows.filter(isOverdue).length} />}
      name="Queue"
      aside={<Filter inputRef={search} value={q} set={(value) => set({ q: value })} />}
    >
      {refused && <ConflictNote {...refused} onClose={() => setRefused(undefined)} />}
      {list.error && rows.length === 0 && <FaultAlert error={list.error} retry={list.refetch} />}
      {list.isPending && <Loading />}
      {!list.isPending && !list.error && rows.length === 0 && <NothingLeft isFiltered={q !== ''} />}
      {rows.length > 0 && (
        <div className={classes.split}>
          <div className={classes.list}>
            <Grid<OrderRow>
              label="Orders to decide"
              columns={COLUMNS}
              rows={rows}
              rowId={({ order_id }) => order_id}
              active={active}
              onActive={(id) => set({ order: id })}
              onOpen={() => setInLines(true)}
              selected={selected}
              onSelect={toggle}
            />
            {chosen.length > 0 && <BulkBar selected={chosen} onApprove={approveChosen} onClear={() => setSelected(new Set())} />}
          </div>
          <section className={classes.detail} aria-label="The order">
            {active !== undefined && (
              <QueueDetail
                orderId={active}
                isInLines={isInLines}
                onLeaveLines={() => setInLines(false)}
                onSent={() => setInLines(false)}
                onRefused={(order, meant) => setRefused({ order, meant })}
                isSendable={chosen.length === 0}
              />
            )}
          </section>
        </div>
      )}
      <BulkResult rows={bulk.rows} isRunning={bulk.isRunning} onClose={bulk.clear} />
    </Page>
  )
}

/** The whole queue: it is sorted by deadline, so every page of it is read. */
function useQueue() {
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    orderList('seller', { status: ['seller_review', 'negotiating'], waiting_on: 'seller' }),
  )
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  const rows = useMemo(() => (data?.pages ?? []).flatMap(({ orders }) => orders), [data])
  return { rows, error, isPending, refetch: () => void refetch() }
}

/** The order that keys act on. When it leaves the queue, the one that took its place is next. */
function useActive(ids: readonly string[], wanted: string | undefined): string | undefined {
  const place = useRef(0)
  const at = wanted === undefined ? -1 : ids.indexOf(wanted)
  if (at >= 0) place.current = at
  return ids[at >= 0 ? at : Math.min(place.current, ids.length - 1)]
}

const COLUMNS: readonly Column<OrderRow>[] = [
  { id: 'due', title: 'Due in', width: 96, cell: ({ waiting_on }) => <Due by={waiting_on?.due_by} /> },
  { id: 'buyer', title: 'Buyer', width: 96, grow: 1, cell: ({ buyer_entity }) => buyer_entity },
  { id: 'advertiser', title: 'Advertiser', width: 88, grow: 1, cell: ({ buyer_metadata }) => buyer_metadata.advertiser_id },
  { id: 'lines', title: 'Lines', width: 46, align: 'right', cell: ({ line_count }) => line_count },
  { id: 'air', title: 'First air', width: 90, cell: ({ first_air_date }) => first_air_date ?? '' },
  {
    id: 'gross',
    title: 'Gross',
    width: 112,
    align: 'right',
    cell: ({ totals }) => <Money amount={totals.gross} currency={totals.currency} />,
  },
]

function Title({ count, overdue }: { count: number; overdue: number }) {
  return (
    <>
      Queue{' '}
      <Text span c="dimmed" size="md">
        {count}
      </Text>
      {overdue > 0 && <span className={classes.refused}> {overdue} overdue</span>}
    </>
  )
}

function Filter({ inputRef, value, set }: { inputRef: React.Ref<HTMLInputElement>; value: string; set: (value: string) => void }) {
  return (
    <TextInput
      ref={inputRef}
      size="xs"
      type="search"
      w={240}
      aria-label="Filter"
      placeholder="Filter by id, buyer or advertiser"
      value={value}
      onChange={(event) => set(event.currentTarget.value)}
    />
  )
}

function NothingLeft({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No order matches">Clear the filter to see all that waits.</Empty>
  return <Empty title="Nothing waits for you">Orders come here when they need your decision. Those decided before are under Orders.</Empty>
}
