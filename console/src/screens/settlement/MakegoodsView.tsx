import { NativeSelect } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { usePages } from '../../api/pages.ts'
import { type Makegood, type MakegoodStatus, makegoodList } from '../../api/queries/makegoods.ts'
import type { Side } from '../../api/queries/orders.ts'
import { Due, Instant } from '../../ui/Due.tsx'
import { Empty } from '../../ui/Empty.tsx'
import type { Column } from '../../ui/Grid.tsx'
import { ListFault } from '../../ui/ListFault.tsx'
import { Loading } from '../../ui/Loading.tsx'
import type { ViewProps } from './InvoicesView.tsx'
import { ListGrid } from './ListGrid.tsx'
import classes from './Settlement.module.css'
import { useSave } from './useSave.ts'

/** The makegoods of all orders: what waits for an answer, and until when. */
export function MakegoodsView({ side, search: { makegood: status, active }, set, onSave }: ViewProps) {
  const navigate = useNavigate()
  const { rows, list, more } = usePages({ ...makegoodList(side, status), placeholderData: keepPreviousData }, itemsOf)
  const columns = useMemo(() => columnsOf(side), [side])
  useSave(onSave, { name: 'makegoods.csv', head: HEAD, isEmpty: rows.length === 0, read: () => rows.flatMap(savedOf) })
  return (
    <>
      <div className={classes.pick}>
        <NativeSelect
          size="xs"
          aria-label="Status of makegoods"
          value={status ?? ''}
          onChange={(event) => set({ makegood: event.currentTarget.value as MakegoodStatus })}
          data={[{ value: '', label: 'Every status' }, ...STATUSES]}
        />
      </div>
      <ListFault list={list} isEmpty={rows.length === 0} />
      {list.isPending && <Loading />}
      {list.isSuccess && rows.length === 0 && (
        <Empty title={status === undefined ? 'No makegood yet' : 'No makegood has this status'}>
          Units that do not air, and what is offered in their place, come here.
        </Empty>
      )}
      <ListGrid<Makegood>
        label="Makegoods"
        one="makegood"
        rows={rows}
        columns={columns}
        rowId={({ makegood_id }) => makegood_id}
        active={active}
        onActive={(id) => set({ active: id })}
        onOpen={(id) => {
          const order = rows.find(({ makegood_id }) => makegood_id === id)?.order_id
          if (order !== undefined) void navigate({ to: '/orders/$id/makegoods', params: { id: order }, search: { active: id } })
        }}
        more={more}
      />
    </>
  )
}

const STATUSES: readonly MakegoodStatus[] = ['noticed', 'offered', 'accepted', 'declined', 'expired', 'recalled', 'credited']

function itemsOf({ items }: { items: Makegood[] }): Makegood[] {
  return items
}

function columnsOf(side: Side): Column<Makegood>[] {
  return [
    { id: 'status', title: 'Status', width: 100, cell: ({ status }) => status },
    side === 'seller'
      ? { id: 'buyer', title: 'Buyer', width: 120, grow: 1, cell: ({ buyer_entity }) => buyer_entity }
      : { id: 'seller', title: 'Seller', width: 120, grow: 1, cell: ({ seller }) => seller },
    { id: 'missed', title: 'Does not air', width: 160, grow: 1.5, cell: (row) => missedText(row) },
    { id: 'offers', title: 'Offers', width: 72, align: 'right', cell: ({ offers }) => offers.length },
    { id: 'due', title: 'Answer in', width: 110, cell: ({ expires_at }) => expires_at && <Due by={expires_at} isExpiry /> },
    { id: 'order', title: 'Order', width: 240, grow: 1, cell: ({ order_id }) => order_id },
    { id: 'at', title: 'Changed', width: 116, align: 'right', cell: ({ updated_at }) => <Instant at={updated_at} /> },
  ]
}

function missedText({ for: missed }: Makegood): string {
  const [first, ...others] = missed
  if (first === undefined) return ''
  return `${first.units} on ${first.date}, ${first.reason_code.replaceAll('_', ' ')}${others.length > 0 ? ` and ${others.length} more` : ''}`
}

const HEAD = ['makegood_id', 'order_id', 'seller', 'buyer_entity', 'status', 'unit_id', 'date', 'units', 'reason_code', 'expires_at']

function savedOf({ makegood_id, order_id, seller, buyer_entity, status, expires_at, for: missed }: Makegood) {
  return missed.map(({ unit_id, date, units, reason_code }) => [
    ...[makegood_id, order_id, seller, buyer_entity, status, unit_id, date],
    ...[units, reason_code, expires_at ?? ''],
  ])
}
