import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { readToEnd, usePages } from '../../api/pages.ts'
import type { Side } from '../../api/queries/orders.ts'
import { type InvoiceRow, invoiceList, type StatementTotals } from '../../api/queries/settlement.ts'
import type { SettlementSearch } from '../../routes/settlement.ts'
import { Instant } from '../../ui/Due.tsx'
import { Empty } from '../../ui/Empty.tsx'
import type { Column } from '../../ui/Grid.tsx'
import { ListFault } from '../../ui/ListFault.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Money } from '../../ui/Money.tsx'
import { ListGrid } from './ListGrid.tsx'
import classes from './Settlement.module.css'
import { type Save, useSave } from './useSave.ts'

export interface ViewProps {
  readonly side: Side
  readonly search: SettlementSearch
  readonly set: (next: SettlementSearch) => void
  readonly onSave: (save: Save | undefined) => void
}

/** Lists invoices and credit notes. Filtered by an agreement and a month, the list is a statement, with totals from the API. */
export function InvoicesView({ side, search: { agreement, month, status, active }, set, onSave }: ViewProps) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const asked = invoiceList(side, {
    ...(agreement && { agreement }),
    ...(month && { broadcast_month: month }),
    ...(status && { status }),
  })
  const { rows, list, more } = usePages({ ...asked, placeholderData: keepPreviousData }, invoicesOf)
  const columns = useMemo(() => columnsOf(side), [side])
  const read = async () => (await readToEnd(queries, asked, invoicesOf)).map(savedOf)
  useSave(onSave, { name: `invoices${month ? `-${month}` : ''}.csv`, head: HEAD, isEmpty: rows.length === 0, read })
  const totals = list.data?.pages[0]?.totals
  return (
    <>
      <ListFault list={list} isEmpty={rows.length === 0} />
      {totals && <Statement totals={totals} agreement={agreement ?? ''} month={month ?? ''} />}
      {list.isPending && <Loading />}
      {list.isSuccess && rows.length === 0 && <NoInvoices isFiltered={Boolean(agreement || month || status)} />}
      <ListGrid<InvoiceRow>
        label="Invoices"
        one="invoice"
        rows={rows}
        columns={columns}
        rowId={({ invoice_id }) => invoice_id}
        active={active}
        onActive={(id) => set({ active: id })}
        onOpen={(id) => void navigate({ to: '/settlement/invoices/$id', params: { id } })}
        more={more}
      />
    </>
  )
}

function invoicesOf({ items }: { items: InvoiceRow[] }): InvoiceRow[] {
  return items
}

function Statement({ totals, agreement, month }: { totals: StatementTotals; agreement: string; month: string }) {
  const { gross, commission, net, currency } = totals
  return (
    <dl className={classes.totals} aria-label={`Statement of ${agreement}, ${month}`}>
      <Total label="Gross" amount={gross} currency={currency} />
      <Total label="Commission" amount={commission} currency={currency} />
      <Total label="Net due" amount={net} currency={currency} isMain />
    </dl>
  )
}

export function Total({ label, amount, currency, isMain }: { label: string; amount: number; currency: string; isMain?: boolean }) {
  return (
    <div className={isMain ? classes.main : ''}>
      <dt>{label}</dt>
      <dd>
        <Money amount={amount} currency={currency} />
      </dd>
    </div>
  )
}

function NoInvoices({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No invoice matches">Clear the filters to see all of them.</Empty>
  return <Empty title="No invoices yet">Orders under a cleared agreement are invoiced when their broadcast month is over.</Empty>
}

function columnsOf(side: Side): Column<InvoiceRow>[] {
  const money = (id: 'gross' | 'commission' | 'net', title: string): Column<InvoiceRow> => ({
    id,
    title,
    width: 120,
    align: 'right',
    cell: (row) => <Money amount={row[id]} currency={row.currency} bare={id !== 'gross'} />,
  })
  return [
    { id: 'number', title: 'Number', width: 104, cell: ({ invoice_number }) => invoice_number },
    { id: 'kind', title: 'Kind', width: 92, cell: ({ kind }) => kind.replace('_', ' ') },
    { id: 'month', title: 'Month', width: 72, cell: ({ broadcast_month }) => broadcast_month },
    side === 'seller'
      ? { id: 'buyer', title: 'Buyer', width: 120, grow: 1, cell: ({ buyer_entity }) => buyer_entity }
      : { id: 'seller', title: 'Seller', width: 120, grow: 1, cell: ({ seller }) => seller },
    { id: 'order', title: 'Order', width: 150, grow: 1.4, cell: ({ external_order_id }) => external_order_id },
    money('gross', 'Gross'),
    money('commission', 'Commission'),
    money('net', 'Net'),
    {
      id: 'disputed',
      title: 'Undisputed',
      width: 110,
      align: 'right',
      cell: ({ undisputed_gross, currency }) => <Money amount={undisputed_gross} currency={currency} bare />,
    },
    { id: 'status', title: 'Status', width: 76, cell: ({ status }) => status },
    { id: 'issued', title: 'Issued', width: 116, align: 'right', cell: ({ issued_at }) => <Instant at={issued_at} /> },
  ]
}

const HEAD = [
  ...[
    'invoice_number',
    'kind',
    'broadcast_month',
    'seller',
    'buyer_entity',
    'agreement_id',
    'external_order_id',
    'estimate_id',
    'currency',
  ],
  ...['gross', 'commission_pct', 'commission', 'net', 'undisputed_gross', 'credited_gross', 'status', 'issued_at', 'paid_on'],
] as const satisfies readonly (keyof InvoiceRow)[]

function savedOf(row: InvoiceRow) {
  return HEAD.map((name) => row[name])
}
