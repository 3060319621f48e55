import { Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type ComponentProps, useMemo, useRef, useState } from 'react'
import type { OrderRow } from '../../api/queries/orders.ts'
import { ConflictNote } from '../../order/ConflictNote.tsx'
import { OrderFilters } from '../../order/OrderFilters.tsx'
import { isFiltered } from '../../order/orderFilter.ts'
import { Empty } from '../../ui/Empty.tsx'
import { Grid, neighbor } from '../../ui/Grid.tsx'
import { useKeys } from '../../ui/keys.ts'
import { ListFault } from '../../ui/ListFault.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Page } from '../../ui/Page.tsx'
import { rowKeys } from '../../ui/rowKeys.ts'
import { SpokenDeadlines } from '../../ui/SpokenDeadlines.tsx'
import { BulkBar, BulkResult } from './BulkBar.tsx'
import { COLUMNS } from './columns.tsx'
import classes from './Queue.module.css'
import { QueueDetail } from './QueueDetail.tsx'
import { isOverdue } from './rules.ts'
import { useQueueView } from './useQueueView.ts'
import { useSelection } from './useSelection.ts'

type Refused = Omit<ComponentProps<typeof ConflictNote>, 'onClose'>

/** The orders that wait for the seller, with the next deadline first; they are decided one by one or many at once. */
export function Queue() {
  const view = useQueueView()
  const { search, set, list, rows } = view
  const filter = useRef<HTMLInputElement>(null)
  const deadlines = useMemo(
    () => rows.map(({ external_order_id, waiting_on }) => ({ name: external_order_id, by: waiting_on?.due_by })),
    [rows],
  )
  const [refused, setRefused] = useState<Refused>()
  useKeys('Queue', [{ keys: '/', does: 'Filter', run: () => filter.current?.focus() }])
  return (
    <Page
      title={<Title count={rows.length} overdue={rows.filter(isOverdue).length} />}
      name="Queue"
      aside={<OrderFilters side="seller" search={search} set={set} inputRef={filter} placeholder="Find by id, buyer or advertiser" />}
    >
      <SpokenDeadlines deadlines={deadlines} />
      {refused && <ConflictNote {...refused} onClose={() => setRefused(undefined)} />}
      <ListFault list={list} isEmpty={rows.length === 0} />
      {list.isPending && <Loading />}
      {!list.isPending && !list.error && rows.length === 0 && <NothingLeft isFiltered={isFiltered(search)} />}
      <Waiting view={view} onRefused={setRefused} />
    </Page>
  )
}

/** Shows the list next to the order that the keys act on. */
function Waiting({
  view: { rows, ids, active, set },
  onRefused,
}: {
  view: ReturnType<typeof useQueueView>
  onRefused: (refused: Refused) => void
}) {
  const navigate = useNavigate()
  const [isInLines, setInLines] = useState(false)
  const { selected, chosen, bulk, clear, toggle, approve } = useSelection(rows)
  useKeys('Orders', [
    ...rowKeys('order', (step) => set({ order: neighbor(ids, active, step) ?? '' })),
    { keys: 'Enter', does: 'Go to the lines of the order', run: () => setInLines(true) },
    { keys: 'x', does: 'Select the order', run: () => active !== undefined && toggle(active) },
    {
      keys: 'o',
      does: 'Open the whole order',
      run: () => active !== undefined && void navigate({ to: '/orders/$id', params: { id: active } }),
    },
    ...(chosen.length > 0 ? [{ keys: 'mod+Enter', does: 'Approve the selected orders', run: approve }] : []),
  ])
  return (
    <>
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
            {chosen.length > 0 && <BulkBar selected={chosen} onApprove={approve} onClear={clear} />}
          </div>
          <section className={classes.detail} aria-label="The order">
            {active !== undefined && (
              <QueueDetail
                orderId={active}
                isInLines={isInLines}
                onLeaveLines={() => setInLines(false)}
                onRefused={onRefused}
                isSendable={chosen.length === 0}
              />
            )}
          </section>
        </div>
      )}
      <BulkResult rows={bulk.rows} isRunning={bulk.isRunning} onClose={bulk.clear} />
    </>
  )
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
