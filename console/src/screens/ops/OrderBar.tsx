import { Anchor, Button, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type OpsOrder, wakeOrder } from '../../api/queries/ops.ts'
import { Instant } from '../../ui/Due.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { useKeys } from '../../ui/keys.ts'
import { reasonText } from './figures.ts'
import classes from './Ops.module.css'
import { RunLink } from './RunLink.tsx'

interface OrderBarProps {
  readonly order: OpsOrder
  /** Whether it links to the page of the order. */
  readonly isLinked?: boolean
}

/** Lets an operator open an order's run in Temporal, or have the marketplace look at the order again. */
export function OrderBar({ order, isLinked = false }: OrderBarProps) {
  const queries = useQueryClient()
  const wake = useMutation({
    mutationFn: () => wakeOrder(order.order_id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['ops'] }),
  })
  const send = () => {
    if (!wake.isPending) wake.mutate()
  }
  useKeys('The order', [{ keys: 'mod+Enter', does: 'Try again now', run: send }])
  return (
    <section className={classes.bar} aria-label="The order">
      <FaultAlert error={wake.error} />
      <div className={classes.barRow}>
        <Text size="sm" component="div" className={classes.facts}>
          <strong>{order.order_id}</strong> event {order.last_seq}, last moved <Instant at={order.updated_at} />
          {order.waits_on && `, waits on ${order.waits_on}`}
          {order.stuck_reason && `, ${reasonText(order.stuck_reason)}`}
        </Text>
        {isLinked && (
          <Anchor component={Link} to={`/ops/orders/${order.order_id}` as '/'} size="sm">
            Timeline
          </Anchor>
        )}
        <RunLink run={order.run_id} />
        <Button size="xs" loading={wake.isPending} onClick={send}>
          Try again now
        </Button>
      </div>
      <Text size="xs" c="dimmed" role="status">
        {wake.data === undefined
          ? 'The marketplace looks at the order again. That decides nothing, and may be repeated.'
          : wake.data.queued
            ? 'It will be looked at within moments.'
            : 'That was asked for already: no worker has taken it yet.'}
      </Text>
    </section>
  )
}
