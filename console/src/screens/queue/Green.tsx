import { Button, Text } from '@mantine/core'
import type { OrderRow } from '../../api/queries/orders.ts'
import { type ListVerdicts, MAX_VERDICTS, toneOf } from '../../order/listVerdicts.ts'
import { ButtonKeys } from '../../ui/ButtonKeys.tsx'
import { useKeys } from '../../ui/keys.ts'
import { countText } from '../../ui/Money.tsx'
import { sumText } from './bulk.ts'
import classes from './Queue.module.css'

interface GreenProps {
  readonly rows: readonly OrderRow[]
  readonly verdicts: ListVerdicts
  readonly isOnItsWay: (id: string) => boolean
  readonly select: (rows: readonly OrderRow[]) => void
}

/** Selects the orders that nothing speaks against; what deciding them comes to is then said before it is sent. */
export function Green({ rows, verdicts, isOnItsWay, select }: GreenProps) {
  const green = rows.filter(({ order_id }) => toneOf(verdicts.of.get(order_id)) === 'good' && !isOnItsWay(order_id))
  const run = () => {
    if (green.length > 0) select(green)
  }
  useKeys('Orders', [{ keys: 'v', does: 'Select all that nothing speaks against', run }])
  return (
    <section className={classes.bulk} aria-label="All green">
      <Text size="sm" role="status" className={classes.chosen ?? ''}>
        {verdicts.pending > 0 && `${countText(verdicts.pending, 'verdict')} being read. `}
        Nothing speaks against {countText(green.length, 'order')}
        {green.length > 0 && `, ${sumText(green)}: at or above the card, within what is left, the credit and the flight`}.
        {rows.length > MAX_VERDICTS && ` The first ${MAX_VERDICTS} orders by deadline have a verdict.`}
      </Text>
      <Button size="xs" variant="default" disabled={green.length === 0} onClick={run} rightSection={<ButtonKeys keys="v" />}>
        Select all green
      </Button>
    </section>
  )
}
