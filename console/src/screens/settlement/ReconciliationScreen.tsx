import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type Order, orderRead, type Side } from '../../api/queries/orders.ts'
import { type Reconciliation, type ReconciliationLine, reconciliationRead, type VarianceCode } from '../../api/queries/settlement.ts'
import { useSession } from '../../api/session.ts'
import type { ReconciliationSearch } from '../../routes/settlement.ts'
import { Bars } from '../../ui/Bars.tsx'
import { csvText, download } from '../../ui/csv.ts'
import { Empty } from '../../ui/Empty.tsx'
import { useKeys } from '../../ui/keys.ts'
import { ListFault } from '../../ui/ListFault.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { countText } from '../../ui/Money.tsx'
import { Page } from '../../ui/Page.tsx'
import { withoutEmpty } from '../../ui/search.ts'
import { useActive } from '../../ui/useActive.ts'
import { CellPane } from './CellPane.tsx'
import { DateGrid } from './DateGrid.tsx'
import { Total } from './InvoicesView.tsx'
import classes from './Settlement.module.css'
import { RECONCILED_HEAD, reconciledRow } from './saved.ts'
import { CODES, cellId, codeText } from './varianceGrid.ts'
import { weekBars, weekOfLine } from './weeks.ts'

const route = getRouteApi('/settlement/orders/$id')

/** One order as ordered, aired and billed: a grid of lines by dates, and for each cell its source rows and the possible actions. */
export function ReconciliationScreen() {
  const { id } = route.useParams()
  const search = route.useSearch()
  const side = useSession().side as Side
  const { code, month, week, cell } = search
  const navigate = useNavigate()
  const list = useInfiniteQuery(reconciliationRead(side, id, { ...(code && { code }), ...(month && { broadcast_month: month }) }))
  const { data: order } = useQuery(orderRead(side, id))
  const nameOf = (unitId: string) => nameOfLine(order, unitId)
  const pages = list.data?.pages
  const head = pages?.[0]
  const all = useMemo(() => (pages ?? []).flatMap((page) => page.lines), [pages])
  const lines = useMemo(() => (week === undefined ? all : all.filter((line) => weekOfLine(line) === week)), [all, week])
  const set = (next: ReconciliationSearch) => {
    if (next.cell !== undefined) open.mark(next.cell)
    void navigate({
      from: '/settlement/orders/$id',
      to: '/settlement/orders/$id',
      // Another filter may leave out the cell of the address.
      search: (before) => withoutEmpty({ ...before, cell: '', ...next }),
      replace: true,
    })
  }
  const differing = lines.filter((line) => line.variances.length > 0).map(cellId)
  // The cell that is open stays, whatever new logs and invoices make of the others; at first it is one that differs.
  const open = useActive(
    [...differing, ...lines.map(cellId)],
    cell,
    list.isSuccess ? `${code ?? ''} ${month ?? ''} ${week ?? ''}` : undefined,
  )
  const shown = lines.find((line) => cellId(line) === open.active)
  useVarianceKeys(differing, open.active, (next) => set({ cell: next }))
  const save = () => head && download(`reconciliation-${id}.csv`, csvText(RECONCILED_HEAD, lines.map(reconciledRow(order, head))))
  return (
    <Page
      title="Reconciliation"
      name={`Reconciliation of ${id}`}
      aside={<Filters search={search} set={set} save={save} isEmpty={lines.length === 0} />}
    >
      <ListFault list={list} isEmpty={list.data === undefined} />
      {list.isPending && <Loading />}
      {head && <Totals of={head} />}
      <WeekPicture lines={all} week={week} set={set} />
      {head && lines.length === 0 && <NoLines of={head} isFiltered={Boolean(code || month || week)} />}
      {lines.length > 0 && (
        <div className={classes.split}>
          <div className={classes.scroll}>
            <DateGrid lines={lines} nameOf={nameOf} chosen={shown && cellId(shown)} choose={(next) => set({ cell: next })} />
            <MoreLines list={list} />
          </div>
          {head && <Shown line={shown} id={id} side={side} name={nameOf(shown?.unit_id ?? '')} currency={head.currency} />}
        </div>
      )}
    </Page>
  )
}

/** Spots by week; a bar narrows the grid to its week. */
function WeekPicture({ lines, week, set }: { lines: readonly ReconciliationLine[]; week: string | undefined; set: FiltersProps['set'] }) {
  return (
    <Bars
      title="Spots by week"
      series={['booked', 'aired', 'billed']}
      bars={weekBars(lines)}
      chosen={week}
      choose={(next) => set({ week: next ?? '' })}
    />
  )
}

function MoreLines({ list }: { list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown } }) {
  if (!list.hasNextPage) return null
  return (
    <Button size="xs" variant="default" m="sm" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
      Show more lines
    </Button>
  )
}

/** Names a line of the order by what it sells and when. */
function nameOfLine(order: Order | undefined, unitId: string): string | undefined {
  const line = order?.line_items.find(({ unit_id }) => unit_id === unitId)
  return line && `${line.product_title ?? line.product_id} ${line.period.start}`
}

function useVarianceKeys(differing: readonly string[], active: string | undefined, choose: (cell: string) => void): void {
  const step = (by: number) => {
    const at = active === undefined ? -1 : differing.indexOf(active)
    const next = differing[(at + by + differing.length) % differing.length]
    if (next !== undefined) choose(next)
  }
  useKeys('The reconciliation', [
    { keys: 'n', does: 'Next cell with a variance', run: () => step(1) },
    { keys: 'j', does: 'Next cell with a variance', run: () => step(1) },
    { keys: 'k', does: 'Previous cell with a variance', run: () => step(-1) },
  ])
}

interface ShownProps {
  readonly line: Reconciliation['lines'][number] | undefined
  readonly id: string
  readonly side: Side
  readonly name: string | undefined
  readonly currency: string
}

/** The cell that is open. */
function Shown({ line, id, side, name, currency }: ShownProps) {
  if (line === undefined) return <GonePane />
  return <CellPane key={cellId(line)} orderId={id} line={line} name={name} side={side} currency={currency} />
}

/** In the place of the cell that was open: what there is to act on has changed, and no other cell takes its place. */
function GonePane() {
  return (
    <aside className={classes.pane} aria-label="The cell">
      New logs or invoices have ended what was open here. n goes to the next cell with a variance.
    </aside>
  )
}

interface FiltersProps {
  readonly search: ReconciliationSearch
  readonly set: (next: ReconciliationSearch) => void
  readonly save: () => void
  readonly isEmpty: boolean
}

function Filters({ search: { code, month = '' }, set, save, isEmpty }: FiltersProps) {
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label="Code"
        value={code ?? ''}
        onChange={(event) => set({ code: event.currentTarget.value as VarianceCode })}
        data={[
          { value: '', label: 'Every line' },
          ...Object.keys(CODES).map((value) => ({ value, label: codeText(value as VarianceCode) })),
        ]}
      />
      <TextInput
        size="xs"
        type="month"
        aria-label="Broadcast month"
        leftSection="Month"
        leftSectionWidth={56}
        value={month}
        onChange={(event) => set({ month: event.currentTarget.value })}
      />
      <Button size="xs" variant="default" disabled={isEmpty} onClick={save}>
        Save as CSV
      </Button>
    </>
  )
}

function Totals({ of: { totals, currency, coverage, order_id } }: { of: Reconciliation }) {
  const { days_booked, days_logged, invoices } = coverage
  return (
    <dl className={classes.totals} aria-label="Totals">
      <Total label={`Ordered, ${countText(totals.ordered, 'spot')}`} amount={totals.ordered_gross} currency={currency} />
      <Total label={`Billed, ${countText(totals.billed, 'spot')}`} amount={totals.billed_gross} currency={currency} />
      <Total label="Variance" amount={totals.variance_gross} currency={currency} isMain />
      <div>
        <dt>Logs</dt>
        <dd>
          {days_logged} of {countText(days_booked, 'day')}
        </dd>
      </div>
      <div>
        <dt>Invoices of the seller</dt>
        <dd>{invoices.map(({ invoice_number }) => invoice_number).join(', ') || 'none'}</dd>
      </div>
      <div>
        <dt>Order</dt>
        <dd>
          <Link to="/orders/$id" params={{ id: order_id }}>
            {order_id}
          </Link>
        </dd>
      </div>
    </dl>
  )
}

function NoLines({ of: { state }, isFiltered }: { of: Reconciliation; isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No line matches">Clear the code or the month to see every line.</Empty>
  if (state === 'too_large')
    return <Empty title="Too large to be matched">The order has more spots and rows than are matched; its sums are above.</Empty>
  return <Empty title="Not reconciled yet">Lines come here when the order is placed and its seller sends logs and invoices.</Empty>
}
