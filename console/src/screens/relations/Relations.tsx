import { Button, SegmentedControl } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useDownSince } from '../../api/health.ts'
import { usePages } from '../../api/pages.ts'
import { type Agreement, agreementList, type BuyerAgreement, grantedList } from '../../api/queries/agreements.ts'
import { useSession } from '../../api/session.ts'
import type { RelationsSearch } from '../../routes/account.ts'
import { Empty } from '../../ui/Empty.tsx'
import { type Column, Grid, neighbor } from '../../ui/Grid.tsx'
import { useKeys } from '../../ui/keys.ts'
import { ListFault, type ListFaultProps } from '../../ui/ListFault.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { moneyText } from '../../ui/Money.tsx'
import { Page } from '../../ui/Page.tsx'
import { rowKeys } from '../../ui/rowKeys.ts'
import { BuyerDetail } from './BuyerDetail.tsx'
import { GrantDialog } from './GrantDialog.tsx'
import classes from './Relations.module.css'
import { SellerDetail } from './SellerDetail.tsx'
import { Standings } from './Standings.tsx'

type Row = Agreement | BuyerAgreement

const route = getRouteApi('/relations')

/** Lists the agreements of either side; a seller also sees which buyers may order. */
export function Relations() {
  const { side } = useSession()
  const { show } = route.useSearch()
  const navigate = useNavigate()
  if (side !== 'seller')
    return (
      <Page title="Relations">
        <Held />
      </Page>
    )
  return (
    <Page
      title="Relations"
      aside={
        <>
          <SegmentedControl
            size="xs"
            aria-label="Show"
            value={show ?? 'agreements'}
            onChange={(value) => void navigate({ to: '/relations', search: value === 'buyers' ? { show: 'buyers' } : {}, replace: true })}
            data={[
              { value: 'agreements', label: 'Agreements' },
              { value: 'buyers', label: 'Buyers' },
            ]}
          />
          {show !== 'buyers' && <Grant />}
        </>
      }
    >
      {show === 'buyers' ? <Standings /> : <Granted />}
    </Page>
  )
}

/** The button that opens a new agreement. */
function Grant() {
  const navigate = useNavigate()
  const isDown = useDownSince() !== undefined
  const [isOpen, setOpen] = useState(false)
  const { rows } = usePages(grantedList, grantedOf)
  const buyers = [...new Set(rows.map(({ buyer_entity }) => buyer_entity))].sort()
  useKeys('Agreements', [{ keys: 'c', does: 'Grant an agreement', run: () => setOpen(true) }])
  const onGranted = (id: string) => {
    setOpen(false)
    void navigate({ to: '/relations', search: { active: id }, replace: true })
  }
  return (
    <>
      <Button size="xs" disabled={isDown} onClick={() => setOpen(true)}>
        Grant an agreement
      </Button>
      {isOpen && <GrantDialog buyers={buyers} onClose={() => setOpen(false)} onGranted={onGranted} />}
    </>
  )
}

function Held() {
  const { rows, list, more } = usePages(agreementList, heldOf)
  const { active } = route.useSearch()
  const isAhead = active !== undefined && !rows.some((row) => rowId(row) === active)
  // A buyer cannot read a single agreement, so the list is read until the agreement is found.
  useEffect(() => {
    if (isAhead) more()
  }, [isAhead, more])
  return (
    <Agreements
      rows={rows}
      list={list}
      more={more}
      columns={columnsOf('seller')}
      empty="A seller grants agreements: its prices, its credit and its terms for you show here."
      detail={(id, row) => <HeldDetail key={id} id={id} row={row} isReading={list.hasNextPage} />}
    />
  )
}

function HeldDetail({ id, row, isReading }: { id: string; row: BuyerAgreement | undefined; isReading: boolean }) {
  if (row !== undefined) return <BuyerDetail agreement={row} />
  return isReading ? <Loading /> : <Empty title="Not in force">{id} is none of your agreements in force.</Empty>
}

function Granted() {
  const { rows, list, more } = usePages(grantedList, grantedOf)
  return (
    <Agreements
      rows={rows}
      list={list}
      more={more}
      columns={columnsOf('buyer_entity')}
      empty="Grant the first one: it gives a buyer prices, credit and terms of its own."
      detail={(id) => <SellerDetail key={id} id={id} />}
    />
  )
}

interface AgreementsProps<R extends Row> {
  rows: readonly R[]
  list: ListFaultProps['list'] & { isPending: boolean }
  more: () => void
  columns: readonly Column<Row>[]
  empty: string
  /** Renders the agreement that the address names, whose row may not have been read yet. */
  detail: (id: string, row: R | undefined) => React.ReactNode
}

function Agreements<R extends Row>({ rows, list, more, columns, empty, detail }: AgreementsProps<R>) {
  const { active } = route.useSearch()
  const navigate = useNavigate()
  const set = (search: RelationsSearch) => void navigate({ to: '/relations', search, replace: true })
  const ids = rows.map(rowId)
  const current = active ?? ids[0]
  const move = (step: number) => {
    const next = neighbor(ids, current, step)
    if (next !== undefined) set({ active: next })
  }
  useKeys('Agreements', rowKeys('agreement', move))
  if (list.isPending) return <Loading />
  if (rows.length === 0 && list.error) return <ListFault list={list} isEmpty />
  if (rows.length === 0) return <Empty title="No agreement yet">{empty}</Empty>
  return (
    <>
      <ListFault list={list} isEmpty={false} />
      <div className={classes.split}>
        <Grid<Row>
          label="Agreements"
          columns={columns}
          rows={rows}
          rowId={rowId}
          active={current}
          onActive={(id) => set({ active: id })}
          onEnd={more}
        />
        <aside className={classes.detail} aria-label="Agreement">
          {current !== undefined &&
            detail(
              current,
              rows.find((row) => rowId(row) === current),
            )}
        </aside>
      </div>
    </>
  )
}

function columnsOf(other: 'seller' | 'buyer_entity'): readonly Column<Row>[] {
  return [
    { id: 'id', title: 'Agreement', width: 170, grow: 2, cell: ({ agreement_id }) => agreement_id },
    { id: 'other', title: other === 'seller' ? 'Seller' : 'Buyer', width: 120, grow: 1, cell: (row) => row[other] },
    {
      id: 'status',
      title: 'Status',
      width: 100,
      cell: ({ status }) => (
        <Mark
          icon={status === 'active' ? 'check' : 'ban'}
          tone={status === 'active' ? 'good' : 'quiet'}
          word={status === 'active' ? 'Active' : 'Ended'}
        />
      ),
    },
    { id: 'until', title: 'Until', width: 96, cell: ({ effective }) => effective.end },
    { id: 'mode', title: 'Settlement', width: 88, cell: ({ settlement_mode }) => settlement_mode },
    {
      id: 'commitment',
      title: 'Commitment',
      width: 140,
      align: 'right',
      cell: ({ commitment_gross, currency }) => commitment_gross !== undefined && moneyText(commitment_gross, currency),
    },
  ]
}

function rowId({ agreement_id }: Row): string {
  return agreement_id
}

function heldOf({ items }: { items: BuyerAgreement[] }): BuyerAgreement[] {
  return items
}

function grantedOf({ items }: { items: Agreement[] }): Agreement[] {
  return items
}
