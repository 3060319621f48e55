import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useNow } from '../../api/clock.ts'
import { useEveryPage, usePages } from '../../api/pages.ts'
import { type OrderRow, orderList } from '../../api/queries/orders.ts'
import { useListVerdicts } from '../../order/listVerdicts.ts'
import { apiFilter, type FilterChange } from '../../order/orderFilter.ts'
import type { QueueSearch } from '../../routes/orders.ts'
import { withoutEmpty } from '../../ui/search.ts'
import { useActive } from '../../ui/useActive.ts'
import { byDeadline, byVerdict, matches } from './filters.ts'
import { isOfBar } from './hours.ts'

const route = getRouteApi('/queue')
const TYPING_MS = 200
const TICK_MS = 60_000
/** The statuses in which an order can wait for its seller: for a decision, a new counter or a plan. */
const WAITING = ['seller_review', 'negotiating', 'validating', 'needs_confirmation'] as const

/** Returns the queue filtered by the address and sorted by deadline, and the order that the keys act on. */
export function useQueueView() {
  const search = route.useSearch()
  const navigate = useNavigate()
  const { all, list, filter } = useQueue(search)
  const now = Math.floor(useNow() / TICK_MS) * TICK_MS
  const found = useMemo(() => all.filter((row) => matches(row, search.q ?? '')).sort(byDeadline), [all, search.q])
  const byTime = useMemo(() => found.filter((row) => isOfBar(row, search.hour, now)), [found, search.hour, now])
  const verdicts = useListVerdicts(byTime, search.sort === 'verdict')
  const rows = search.sort === 'verdict' ? byVerdict(byTime, verdicts) : byTime
  const ids = rows.map(({ order_id }) => order_id)
  const open = useActive(ids, search.order, filter)
  const set = (next: FilterChange | QueueSearch | { sort: QueueSearch['sort'] | undefined } | { hour: string | undefined }) => {
    if ('order' in next) open.mark(next.order === '' ? undefined : next.order)
    // Another filter may leave out the order of the address, which stays open only if it is in the list.
    const change = 'order' in next || 'sort' in next ? next : { ...next, order: '' }
    void navigate({ from: '/queue', to: '/queue', search: (before) => withoutEmpty({ ...before, ...change }), replace: true })
  }
  return { search, set, list, rows, found, verdicts, ids, active: open.active, isListed: open.isListed, step: open.step }
}

/** Reads every page of the queue, since it is sorted by deadline here. `filter` names what the rows are of, once they have been read. */
function useQueue(search: QueueSearch) {
  const wanted = JSON.stringify(apiFilter('seller', search))
  const [filter] = useDebouncedValue(wanted, TYPING_MS)
  const waiting = orderList('seller', { ...(JSON.parse(filter) as object), status: WAITING, waiting_on: 'seller' })
  const { rows, list } = usePages({ ...waiting, placeholderData: keepPreviousData }, ordersOf)
  useEveryPage(list)
  const isRead = list.isSuccess && !list.isPlaceholderData && filter === wanted
  return { all: rows, list, filter: isRead ? `${filter} ${search.q ?? ''} ${search.hour ?? ''}` : undefined }
}

const ordersOf = ({ orders }: { orders: readonly OrderRow[] }) => orders

export type QueueView = ReturnType<typeof useQueueView>
