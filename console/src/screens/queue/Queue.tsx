import { Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import type { OrderRow } from '../../api/queries/orders.ts'
import { rest } from '../../api/rest.ts'
import type { ListVerdicts } from '../../order/listVerdicts.ts'
import { OrderFilters } from '../../order/OrderFilters.tsx'
import { isFiltered } from '../../order/orderFilter.ts'
import { isPending, sentOf, useSendings } from '../../order/outbox.ts'
import { Empty } from '../../ui/Empty.tsx'
import { Grid } from '../../ui/Grid.tsx'
import { useKeys } from '../../ui/keys.ts'
import { ListFault } from '../../ui/ListFault.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Page } from '../../ui/Page.tsx'
import { rowKeys } from '../../ui/rowKeys.ts'
import { SpokenDeadlines } from '../../ui/SpokenDeadlines.tsx'
import { columnsOf } from './columns.tsx'
import { isOverdue } from './filters.ts'
import classes from './Queue.module.css'
import { QueueDetail } from './QueueDetail.tsx'
import { Sorting } from './Sorting.tsx'
import { type QueueView, useQueueView } from './useQueueView.ts'
import { useSelection } from './useSelection.ts'

/** Loaded after the list, which it is not to hold up. */
const DeadlinePicture = lazy(async () => {
  await rest(AFTER_LIST_MS)
  return { default: (await import('./DeadlinePicture.tsx')).DeadlinePicture }
})
const AFTER_LIST_MS = 500
/** Loaded once orders are selected. */
const BulkBar = lazy(async () => ({ default: (await import('./BulkBar.tsx')).BulkBar }))
const Green = lazy(async () => ({ default: (await import('./Green.tsx')).Green }))

/** A picture of one order says nothing. */
const PICTURED = 2

/** The orders that wait for the seller, with the next deadline first; they are decided one by one or many at once. */
export function Queue() {
  const view = useQueueView()
  const { search, set, list, rows, active } = view
  const filter = useRef<HTMLInputElement>(null)
  const deadlines = useMemo(
    () => rows.map(({ external_order_id, waiting_on }) => ({ name: external_order_id, by: waiting_on?.due_by })),
    [rows],
  )
  useKeys('Queue', [{ keys: '/', does: 'Filter', run: () => filter.current?.focus() }])
  const isNarrowed = isFiltered(search) || search.hour !== undefined
  const isEmpty = !list.isPending && !list.error && rows.length === 0
  return (
    <Page
      title={<Title count={rows.length} overdue={rows.filter(isOverdue).length} />}
      name="Queue"
      aside={
        <>
          <OrderFilters side="seller" search={search} set={set} inputRef={filter} placeholder="Find by id, buyer or advertiser" />
          <Sorting view={view} />
        </>
      }
    >
      <SpokenDeadlines deadlines={deadlines} />
      {view.found.length >= PICTURED && (
        <Suspense>
          <DeadlinePicture rows={view.found} chosen={search.hour} choose={(hour) => set({ hour })} />
        </Suspense>
      )}
      <ListFault list={list} isEmpty={rows.length === 0} />
      {list.isPending && <Loading />}
      {isEmpty && active === undefined ? (
        <NothingLeft isFiltered={isNarrowed} />
      ) : (
        <Waiting view={view} nothing={isEmpty && <NothingLeft isFiltered={isNarrowed} />} />
      )}
    </Page>
  )
}

/** Shows the list next to the order that the keys act on. That order stays until its user goes on, whatever becomes of the list. */
function Waiting({ view, nothing }: { view: QueueView; nothing: React.ReactNode }) {
  const { rows, active, isListed, set, step } = view
  const navigate = useNavigate()
  const list = useRef<HTMLDivElement>(null)
  const [isInLines, setInLines] = useState(false)
  const verdicts = view.search.sort === 'verdict' ? view.verdicts : undefined
  const { columns, isOnItsWay } = useQueueColumns(rows, verdicts)
  const selection = useSelection(rows)
  const { selected, clear, toggle, selectAll, extend } = selection
  const focusList = () => list.current?.querySelector<HTMLElement>('[role=grid]')?.focus()
  const go = (id: string | undefined) => {
    setInLines(false)
    set({ order: id ?? '' })
  }
  const leaveFor = (id: string | undefined) => {
    go(id)
    focusList()
  }
  useQueueKeys({
    step: (by) => go(step(by)),
    enterLines: () => setInLines(true),
    toggle: () => active !== undefined && toggle(active),
    select: (by) => active !== undefined && isListed && go(extend(active, by)),
    selectAll,
    open: () => active !== undefined && void navigate({ to: '/orders/$id', params: { id: active } }),
    clear: selected.size > 0 ? clear : undefined,
  })
  if (rows.length === 0 && active === undefined) return null
  return (
    <div className={classes.split}>
      <div className={classes.list} ref={list}>
        {nothing || (
          <Grid<OrderRow>
            label="Orders to decide"
            columns={columns}
            rows={rows}
            rowId={({ order_id }) => order_id}
            active={active}
            onActive={go}
            onOpen={() => setInLines(true)}
            selected={selected}
            onSelect={toggle}
          />
        )}
        <BelowList rows={rows} verdicts={verdicts} isOnItsWay={isOnItsWay} selection={selection} onLeave={focusList} />
      </div>
      <Opened
        view={view}
        isInLines={isInLines}
        onLeaveLines={() => setInLines(false)}
        onSend={() => leaveFor(nextToDecide(rows, active, isOnItsWay))}
        onNext={() => leaveFor(step(1))}
        onLeave={focusList}
        isSendable={selected.size === 0}
      />
    </div>
  )
}

interface BelowListProps {
  readonly rows: readonly OrderRow[]
  readonly verdicts: ListVerdicts | undefined
  readonly isOnItsWay: (id: string) => boolean
  readonly selection: ReturnType<typeof useSelection>
  readonly onLeave: () => void
}

/** What is done with several orders of the list. */
function BelowList({ rows, verdicts, isOnItsWay, selection: { selected, chosen, gone, clear, select }, onLeave }: BelowListProps) {
  return (
    <Suspense>
      {verdicts && <Green rows={rows} verdicts={verdicts} isOnItsWay={isOnItsWay} select={select} />}
      {selected.size > 0 && <BulkBar chosen={chosen} gone={gone} onClear={clear} onLeave={onLeave} />}
    </Suspense>
  )
}

type OpenedProps = Omit<Parameters<typeof QueueDetail>[0], 'orderId'> & { readonly view: QueueView }

/** The order that the keys act on. */
function Opened({ view: { active }, ...detail }: OpenedProps) {
  return (
    <section className={classes.detail} aria-label="The order">
      {active !== undefined && <QueueDetail orderId={active} {...detail} />}
    </section>
  )
}

/** The columns of the queue, which show what is on its way to the marketplace. */
function useQueueColumns(rows: readonly OrderRow[], verdicts: ListVerdicts | undefined) {
  const sendings = useSendings()
  return useMemo(() => {
    const isOnItsWay = (id: string) => isPending(sentOf(sendings, id))
    return { columns: columnsOf(isOnItsWay, rows, verdicts), isOnItsWay }
  }, [sendings, rows, verdicts])
}

interface QueueActs {
  readonly step: (by: number) => void
  readonly enterLines: () => void
  readonly toggle: () => void
  readonly select: (by: number) => void
  readonly selectAll: () => void
  readonly open: () => void
  /** Absent if nothing is selected. */
  readonly clear: (() => void) | undefined
}

function useQueueKeys({ step, enterLines, toggle, select, selectAll, open, clear }: QueueActs): void {
  useKeys('Orders', [
    ...rowKeys('order', step),
    { keys: 'Enter', does: 'Go to the lines of the order', run: enterLines },
    { keys: 'x', does: 'Select the order', run: toggle },
    { keys: 'shift+j', does: 'Select it and the next order', run: () => select(1) },
    { keys: 'shift+k', does: 'Select it and the previous order', run: () => select(-1) },
    { keys: 'shift+ArrowDown', does: 'Select it and the next order', run: () => select(1) },
    { keys: 'shift+ArrowUp', does: 'Select it and the previous order', run: () => select(-1) },
    { keys: 'mod+a', does: 'Select every order of the list', run: selectAll },
    { keys: 'o', does: 'Open the whole order', run: open },
    ...(clear ? [{ keys: 'Escape', does: 'Select none', run: clear }] : []),
  ])
}

/** The order after this one that is still to be decided, or the first such; this one if there is none. */
function nextToDecide(rows: readonly OrderRow[], id: string | undefined, isOnItsWay: (id: string) => boolean): string | undefined {
  const ids = rows.map(({ order_id }) => order_id)
  const at = id === undefined ? -1 : ids.indexOf(id)
  const others = [...ids.slice(at + 1), ...ids.slice(0, Math.max(0, at))]
  return others.find((one) => !isOnItsWay(one)) ?? id
}

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

function NothingLeft({ isFiltered: isNarrowed }: { isFiltered: boolean }) {
  if (isNarrowed) return <Empty title="No order matches">Clear the filter to see all that waits.</Empty>
  return <Empty title="Nothing waits for you">Orders come here when they need your decision. Those decided before are under Orders.</Empty>
}
