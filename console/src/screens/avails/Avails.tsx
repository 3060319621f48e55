import { Button, SegmentedControl, TextInput } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useMemo, useRef } from 'react'
import { serverNow } from '../../api/clock.ts'
import type { AvailsSearch } from '../../routes/selling.ts'
import { Empty } from '../../ui/Empty.tsx'
import { type CellAt, moved, type Step } from '../../ui/editKeys.ts'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { HeatMap } from '../../ui/HeatMap.tsx'
import { useKeys } from '../../ui/keys.ts'
import { Loading } from '../../ui/Loading.tsx'
import { Page } from '../../ui/Page.tsx'
import { mondayOf, periodGloss } from '../../ui/Period.tsx'
import { withoutEmpty } from '../../ui/search.ts'
import { weekOf, weeksFrom } from '../../ui/weeks.ts'
import { Asks } from './Asks.tsx'
import { AvailPanel } from './AvailPanel.tsx'
import classes from './Avails.module.css'
import { keyOf } from './availDrafts.ts'
import { useAvailsMap } from './useAvailsMap.ts'

const route = getRouteApi('/avails')
const WEEKS = 13
const WEEK_MS = 7 * 86_400_000

/** Shows remaining inventory of each product by week, edited in place, next to the open requests of buyers. */
export function Avails() {
  const { q = '', by = 'sellout', ...search } = route.useSearch()
  const navigate = useNavigate()
  const set = (next: AvailsSearch) =>
    void navigate({ from: '/avails', to: '/avails', search: (before) => withoutEmpty({ ...before, ...next }), replace: true })
  const first = mondayOf(search.from ?? '')?.getTime() ?? serverNow()
  const weeks = useMemo(() => weeksFrom(first, WEEKS), [first])
  const { products, asks, avails, productOf, cellOf, isPending, error, retry } = useAvailsMap(weeks, q, by)
  const at = {
    row: Math.max(0, products.indexOf(search.product ?? '')),
    column: Math.max(0, weeks.indexOf(weekOfPeriod(search.start) ?? '')),
  }
  const product = productOf(products[at.row])
  const start = (search.product === undefined ? undefined : search.start) ?? weeks[at.column] ?? ''
  const go = (to: CellAt) => set({ product: products[to.row] ?? '', start: weeks[to.column] ?? '' })
  const page = (direction: number) => set({ from: weekOf(first + direction * WEEKS * WEEK_MS), start: '' })
  const filter = useRef<HTMLInputElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  useMapKeys({
    step: (step) => go(moved(at, step, { rows: products.length, columns: weeks.length })),
    page,
    edit: () => panel.current?.querySelector<HTMLElement>('form input')?.focus(),
    filter: () => filter.current?.focus(),
  })
  return (
    <Page title="Avails" aside={<Controls filterRef={filter} q={q} by={by} set={set} onPage={page} />}>
      <FaultAlert error={error} retry={retry} />
      {isPending && error === null && <Loading />}
      {!isPending && products.length === 0 && <NoProducts isFiltered={q !== ''} />}
      {!isPending && products.length > 0 && (
        <div className={classes.split}>
          <HeatMap label="Avails by week" rows={products} columns={weeks.map(columnOf)} cellOf={cellOf} at={at} onAt={go} />
          <div className={classes.side} ref={panel}>
            <Asks asks={asks} onOpen={(ask) => set(toSearch(ask.product_id, ask.period.start, weeks))} />
            <AvailPanel
              key={keyOf(product?.product_id ?? '', start)}
              product={product}
              start={start}
              avails={avails}
              onStart={(next) => set({ product: product?.product_id ?? '', start: next })}
            />
          </div>
        </div>
      )}
    </Page>
  )
}

function columnOf(week: string) {
  return { id: week, title: week.slice(5), gloss: periodGloss({ grain: 'week', start: week }).split('-')[0] ?? '' }
}

interface MapKeys {
  step: (step: Step) => void
  page: (direction: number) => void
  edit: () => void
  filter: () => void
}

function useMapKeys({ step, page, edit, filter }: MapKeys): void {
  useKeys('Avails', [
    { keys: 'ArrowRight', does: 'Next week', run: () => step({ columns: 1 }) },
    { keys: 'ArrowLeft', does: 'Previous week', run: () => step({ columns: -1 }) },
    { keys: 'ArrowDown', does: 'Next product', run: () => step({ rows: 1 }) },
    { keys: 'ArrowUp', does: 'Previous product', run: () => step({ rows: -1 }) },
    { keys: 'j', does: 'Next product', run: () => step({ rows: 1 }) },
    { keys: 'k', does: 'Previous product', run: () => step({ rows: -1 }) },
    { keys: 'Enter', does: 'Edit', run: edit },
    { keys: 'PageDown', does: 'Later weeks', run: () => page(1) },
    { keys: 'PageUp', does: 'Earlier weeks', run: () => page(-1) },
    { keys: '/', does: 'Filter', run: filter },
  ])
}

/** Brings a requested product and period into view, whatever the filter and the weeks shown. */
function toSearch(product: string, start: string, weeks: readonly string[]): AvailsSearch {
  const week = weekOfPeriod(start)
  return { q: '', product, start, ...(week !== undefined && !weeks.includes(week) && { from: week }) }
}

/** The week in which a period begins. */
function weekOfPeriod(start: string | undefined): string | undefined {
  if (start === undefined || start.includes('W')) return start
  const ms = Date.parse(start.length > 7 ? start : `${start}-01`)
  return Number.isNaN(ms) ? undefined : weekOf(ms)
}

interface ControlsProps {
  filterRef: React.Ref<HTMLInputElement>
  q: string
  by: 'sellout' | 'count'
  set: (next: AvailsSearch) => void
  onPage: (direction: number) => void
}

function Controls({ filterRef, q, by, set, onPage }: ControlsProps) {
  return (
    <>
      <TextInput
        ref={filterRef}
        size="xs"
        type="search"
        w={200}
        aria-label="Filter"
        placeholder="Filter products"
        value={q}
        onChange={(event) => set({ q: event.currentTarget.value, product: '', start: '' })}
      />
      <SegmentedControl
        size="xs"
        aria-label="Shown"
        value={by}
        onChange={(value) => set({ by: value as 'sellout' | 'count' })}
        data={[
          { value: 'sellout', label: 'Sold' },
          { value: 'count', label: 'Left' },
        ]}
      />
      <Button.Group>
        <Button size="xs" variant="default" onClick={() => onPage(-1)}>
          Earlier
        </Button>
        <Button size="xs" variant="default" onClick={() => onPage(1)}>
          Later
        </Button>
      </Button.Group>
    </>
  )
}

function NoProducts({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No product matches">Clear the filter to see all products.</Empty>
  return <Empty title="There is nothing to sell yet">Publish a catalog first; its products are the rows here.</Empty>
}
