import { Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Side } from '../../api/queries/orders.ts'
import type { ReconciliationLine } from '../../api/queries/settlement.ts'
import { Money } from '../../ui/Money.tsx'
import { AirDate } from '../../ui/Period.tsx'
import classes from './Settlement.module.css'
import { VarianceCard } from './VarianceCard.tsx'

interface CellPaneProps {
  readonly orderId: string
  readonly line: ReconciliationLine
  /** What the line sells and when. */
  readonly name: string | undefined
  readonly side: Side
  readonly currency: string
}

/** Details of a cell: its figures, and each variance with the seller's rows and the possible actions. */
export function CellPane({ orderId, line, name, side, currency }: CellPaneProps) {
  const { air_date, network, variances, variances_left_out = 0, ordered_gross, billed_gross, variance_gross } = line
  return (
    <aside className={classes.pane} aria-label="The cell">
      <Title order={2}>
        <AirDate date={air_date} /> on {network}
      </Title>
      {name !== undefined && <Text size="sm">{name}</Text>}
      <Text size="sm" component="div" mb="xs">
        Ordered <Money amount={ordered_gross} currency={currency} />, billed <Money amount={billed_gross} currency={currency} bare />,
        variance{' '}
        <strong>
          <Money amount={variance_gross} currency={currency} bare />
        </strong>
      </Text>
      <Text size="sm" c="dimmed" mb="sm">
        {COUNTS.filter(([name]) => line[name] > 0)
          .map(([name, word]) => `${line[name]} ${word}`)
          .join(', ')}
      </Text>
      <Text size="sm" mb="sm">
        <Link to="/orders/$id/makegoods" params={{ id: orderId }} search={noticeOf(line, side)}>
          {side === 'seller' ? 'Units that do not air, and their makegoods' : 'Makegoods of the order'}
        </Link>
      </Text>
      {variances.length === 0 && <Text size="sm">Nothing differs here.</Text>}
      {variances.map((variance) => (
        <VarianceCard key={variance.variance_id} orderId={orderId} variance={variance} side={side} currency={currency} />
      ))}
      {variances_left_out > 0 && <Text size="sm">{variances_left_out} more variances of this cell are not listed.</Text>}
    </aside>
  )
}

/** For a seller the notice of the cell's units, unless they have aired. */
function noticeOf({ unit_id, air_date, missed, open }: ReconciliationLine, side: Side): { unit?: string; date?: string } {
  return side === 'seller' && unit_id !== null && missed + open > 0 ? { unit: unit_id, date: air_date } : {}
}

const COUNTS = [
  ['ordered', 'ordered'],
  ['aired_in_spec', 'in spec'],
  ['aired_out_of_spec', 'out of spec'],
  ['makegood', 'made good'],
  ['missed', 'missed'],
  ['open', 'open'],
  ['unordered', 'not ordered'],
  ['duplicate', 'duplicate'],
  ['billed', 'billed'],
] as const
