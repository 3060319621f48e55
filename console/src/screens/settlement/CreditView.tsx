import { Progress, Table, Text } from '@mantine/core'
import { type QueryClient, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Credit, creditRead, type Pacing, pacingRead } from '../../api/queries/agreements.ts'
import type { Side } from '../../api/queries/orders.ts'
import { agreementList, type Terms } from '../../api/queries/settlement.ts'
import { Empty } from '../../ui/Empty.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Money } from '../../ui/Money.tsx'
import type { ViewProps } from './InvoicesView.tsx'
import classes from './Settlement.module.css'
import { useSave } from './useSave.ts'

/** Lists agreements with their drawn credit and booked commitments; both sides see the same figures. */
export function CreditView({ side, onSave }: ViewProps) {
  const { data: terms, error, isPending, refetch } = useQuery(agreementList(side))
  const queries = useQueryClient()
  const listed = terms ?? []
  const credits = useQueries({ queries: listed.map((term) => ({ ...creditRead(side, term.agreement_id), enabled: isActive(term) })) })
  const pacings = useQueries({ queries: listed.map((term) => ({ ...pacingRead(side, term.agreement_id), enabled: isActive(term) })) })
  const rows = listed.map((term, index) => ({ term, credit: credits[index]?.data, pacing: pacings[index]?.data }))
  const read = () => Promise.all(listed.map(async (term) => savedOf(await wholeRow(queries, side, term))))
  useSave(onSave, { name: 'credit-and-pacing.csv', head: HEAD, isEmpty: rows.length === 0, read })
  const failed = [...credits, ...pacings].filter((one) => one.error)
  const retry = () => {
    if (error) void refetch()
    for (const one of failed) void one.refetch()
  }
  return (
    <div className={classes.scroll}>
      <FaultAlert error={error ?? failed[0]?.error} retry={retry} />
      {isPending && <Loading />}
      {terms?.length === 0 && <Empty title="No agreements">Credit and commitments are those of agreements, which sellers grant.</Empty>}
      {rows.length > 0 && (
        <Table stickyHeader verticalSpacing={6} className={classes.credit}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Agreement</Table.Th>
              <Table.Th>{side === 'seller' ? 'Buyer' : 'Seller'}</Table.Th>
              <Table.Th>Mode</Table.Th>
              <Table.Th>Credit drawn</Table.Th>
              <Table.Th>Commitment booked</Table.Th>
              <Table.Th className={classes.right}>Invoiced</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Row key={row.term.agreement_id} row={row} side={side} />
            ))}
          </Table.Tbody>
        </Table>
      )}
    </div>
  )
}

interface CreditRow {
  readonly term: Terms
  readonly credit: Credit | undefined
  readonly pacing: Pacing | undefined
}

/** Whether figures are read with the list. For ended agreements, of which there may be hundreds, they are read when one is opened. */
function isActive({ status }: Terms): boolean {
  return status === 'active'
}

/** Reads the figures that a row is still missing. */
async function wholeRow(queries: QueryClient, side: Side, term: Terms): Promise<CreditRow> {
  if (!isActive(term)) return { term, credit: undefined, pacing: undefined }
  const [credit, pacing] = await Promise.all([
    queries.ensureQueryData(creditRead(side, term.agreement_id)),
    queries.ensureQueryData(pacingRead(side, term.agreement_id)),
  ])
  return { term, credit, pacing }
}

function Row({ row: { term, credit, pacing }, side }: { row: CreditRow; side: Side }) {
  const currency = credit?.currency ?? term.currency ?? ''
  return (
    <Table.Tr>
      <Table.Td>
        <Link to="/settlement" search={{ agreement: term.agreement_id }}>
          {term.agreement_id}
        </Link>
        {!isActive(term) && ' (ended)'}
      </Table.Td>
      <Table.Td>{side === 'seller' ? term.buyer_entity : term.seller}</Table.Td>
      <Table.Td>{term.settlement_mode}</Table.Td>
      <Table.Td>
        <Share of={term.credit_limit} drawn={credit?.exposure} currency={currency} label="Credit drawn" none="no limit" />
      </Table.Td>
      <Table.Td>
        <Share of={term.commitment_gross} drawn={pacing?.booked_gross} currency={currency} label="Commitment booked" none="no commitment" />
      </Table.Td>
      <Table.Td className={classes.right}>
        {pacing?.invoiced_gross !== undefined && <Money amount={pacing.invoiced_gross} currency={pacing.currency} />}
      </Table.Td>
    </Table.Tr>
  )
}

const HEAD = [
  ...['agreement_id', 'seller', 'buyer_entity', 'currency'],
  ...['credit_limit', 'exposure', 'available', 'commitment_gross', 'booked_gross', 'invoiced_gross'],
]

function savedOf({ term, credit, pacing }: CreditRow) {
  return [
    ...[term.agreement_id, term.seller, term.buyer_entity, term.currency],
    ...[term.credit_limit, credit?.exposure, credit?.available, term.commitment_gross, pacing?.booked_gross, pacing?.invoiced_gross],
  ]
}

interface ShareProps {
  readonly of: number | null | undefined
  readonly drawn: number | undefined
  readonly currency: string
  readonly label: string
  readonly none: string
}

/** Shows a part of a total as figures and as a bar. */
function Share({ of, drawn, currency, label, none }: ShareProps) {
  const whole = of ?? undefined
  const percent = whole !== undefined && whole > 0 && drawn !== undefined ? Math.min(100, (100 * drawn) / whole) : undefined
  return (
    <>
      <Text size="sm" component="div">
        {drawn !== undefined && <Money amount={drawn} currency={currency} />}
        {drawn !== undefined && (whole === undefined ? ', ' : ' of ')}
        {whole === undefined ? none : <Money amount={whole} currency={currency} bare={drawn !== undefined} />}
      </Text>
      {percent !== undefined && <Progress value={percent} size={4} aria-label={label} color={percent >= 90 ? 'orange' : 'indigo'} />}
    </>
  )
}
