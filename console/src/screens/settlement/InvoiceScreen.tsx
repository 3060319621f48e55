import { Button, Table } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Side } from '../../api/queries/orders.ts'
import { type Invoice, invoiceRead, markInvoicePaid } from '../../api/queries/settlement.ts'
import { useSession } from '../../api/session.ts'
import { csvText, download } from '../../ui/csv.ts'
import { Instant } from '../../ui/Due.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Money, Price } from '../../ui/Money.tsx'
import { Named } from '../../ui/Named.tsx'
import { Page } from '../../ui/Page.tsx'
import { AirDate } from '../../ui/Period.tsx'
import { Total } from './InvoicesView.tsx'
import classes from './Settlement.module.css'
import { INVOICE_HEAD, invoiceRow } from './saved.ts'
import { codeText } from './varianceGrid.ts'

const route = getRouteApi('/settlement/invoices/$id')

/** One invoice or credit note with its lines. */
export function InvoiceScreen() {
  const { id } = route.useParams()
  const side = useSession().side as Side
  const { data, error, isPending, refetch } = useQuery(invoiceRead(side, id))
  const title = data === undefined ? 'Invoice' : `${data.kind === 'invoice' ? 'Invoice' : 'Credit note'} ${data.invoice_number}`
  return (
    <Page title={title} aside={data && <Actions invoice={data} side={side} />}>
      <div className={classes.scroll}>
        <FaultAlert error={data === undefined ? error : null} retry={() => void refetch()} />
        {isPending && <Loading />}
        {data && <Body invoice={data} />}
      </div>
    </Page>
  )
}

function Actions({ invoice, side }: { invoice: Invoice; side: Side }) {
  const queries = useQueryClient()
  const paid = useMutation({
    mutationFn: () => markInvoicePaid(invoice.invoice_id, {}),
    onSettled: () => queries.invalidateQueries({ queryKey: ['settlement'] }),
  })
  const save = () => download(`${invoice.invoice_number}.csv`, csvText(INVOICE_HEAD, invoice.lines.map(invoiceRow(invoice))))
  return (
    <>
      <FaultAlert error={paid.error} />
      <Button size="xs" variant="default" onClick={save}>
        Save as CSV
      </Button>
      {side === 'seller' && invoice.kind === 'invoice' && invoice.status === 'issued' && (
        <Button size="xs" loading={paid.isPending} onClick={() => paid.mutate()}>
          Mark as paid
        </Button>
      )}
    </>
  )
}

function Body({ invoice }: { invoice: Invoice }) {
  const { currency, gross, commission, commission_pct, net, undisputed_gross, credited_gross } = invoice
  return (
    <>
      <dl className={classes.totals} aria-label="Totals">
        <Total label="Gross" amount={gross} currency={currency} />
        <Total label={`Commission ${commission_pct} %`} amount={commission} currency={currency} />
        <Total label="Net" amount={net} currency={currency} isMain />
        <Total label="Undisputed gross" amount={undisputed_gross} currency={currency} />
        {credited_gross !== 0 && <Total label="Credited" amount={credited_gross} currency={currency} />}
      </dl>
      <Facts invoice={invoice} />
      <Lines invoice={invoice} />
    </>
  )
}

function Facts({ invoice }: { invoice: Invoice }) {
  const { order_id, external_order_id, agreement_id, broadcast_month, estimate_id, credits, reason, status, issued_at, paid_on, seller } =
    invoice
  return (
    <dl className={classes.facts}>
      <div>
        <dt>Order</dt>
        <dd>
          <Link to="/orders/$id" params={{ id: order_id }}>
            {external_order_id}
          </Link>{' '}
          (
          <Link to="/settlement/orders/$id" params={{ id: order_id }}>
            reconciliation
          </Link>
          )
        </dd>
      </div>
      <Fact name="Seller" value={seller} />
      <Fact name="Buyer" value={invoice.buyer_entity} />
      <Fact name="Agreement" value={agreement_id} />
      <Fact name="Broadcast month" value={broadcast_month} />
      {estimate_id !== undefined && <Fact name="Estimate" value={estimate_id} />}
      {credits !== undefined && (
        <div>
          <dt>Credits</dt>
          <dd>
            <Link to="/settlement/invoices/$id" params={{ id: credits }}>
              the invoice
            </Link>
            {reason !== undefined && `, ${codeText(reason as never)}`}
          </dd>
        </div>
      )}
      <Fact name="Status" value={paid_on === undefined ? status : `${status} on ${paid_on}`} />
      <div>
        <dt>Issued</dt>
        <dd>
          <Instant at={issued_at} />
        </dd>
      </div>
    </dl>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function Lines({ invoice: { lines, currency } }: { invoice: Invoice }) {
  return (
    <Table verticalSpacing={6} horizontalSpacing={16}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Line</Table.Th>
          <Table.Th>Product</Table.Th>
          <Table.Th>Network</Table.Th>
          <Table.Th className={classes.right}>Length</Table.Th>
          <Table.Th>Dates</Table.Th>
          <Table.Th className={classes.right}>Units</Table.Th>
          <Table.Th className={classes.right}>Price</Table.Th>
          <Table.Th className={classes.right}>Gross</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lines.map(({ kind, unit_id, product_id, product_title, network, spot_length, dates, units, unit_cost, cpm, fee_pct, gross }) => (
          <Table.Tr key={`${kind}-${unit_id}-${network}`}>
            <Table.Td>{kind === 'spots' ? 'spots' : kind.replace('_', ' ')}</Table.Td>
            <Table.Td>{product_id !== undefined && <Named name={product_title} id={product_id} />}</Table.Td>
            <Table.Td>{network}</Table.Td>
            <Table.Td className={classes.right}>{spot_length}</Table.Td>
            <Table.Td>
              {(dates ?? []).map((one) => (
                <span key={one.date} className={classes.days}>
                  <AirDate date={one.date} /> × {one.units}
                </span>
              ))}
            </Table.Td>
            <Table.Td className={classes.right}>{units}</Table.Td>
            <Table.Td className={classes.right}>
              {fee_pct !== undefined && `${fee_pct} %`}
              {(unit_cost !== undefined || cpm !== undefined) && (
                <Price rate={{ currency, ...(unit_cost !== undefined && { unit_cost }), ...(cpm !== undefined && { cpm }) }} />
              )}
            </Table.Td>
            <Table.Td className={classes.right}>
              <Money amount={gross} currency={currency} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
