import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Order, orderRead } from '../../api/queries/orders.ts'
import { DecideBar } from '../../order/DecideBar.tsx'
import { Lines } from '../../order/Lines.tsx'
import { openAsks } from '../../order/rounds.ts'
import { choose, useDecision } from '../../order/useDecision.ts'
import { Due } from '../../ui/Due.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { neighbor } from '../../ui/Grid.tsx'
import { useKeys } from '../../ui/keys.ts'
import { Loading } from '../../ui/Loading.tsx'
import { countText } from '../../ui/Money.tsx'
import { Status } from '../../ui/Status.tsx'
import classes from './Queue.module.css'

interface QueueDetailProps {
  orderId: string
  /** Whether the arrows move between the lines rather than the orders. */
  isInLines: boolean
  onLeaveLines: () => void
  onSent: () => void
  /** The order has moved on, and leaves the queue. */
  onRefused: (order: Order, meant: string) => void
  /** Whether sending means this order, or the selected ones. */
  isSendable: boolean
}

/** The order that keys act on, with everything that a decision needs. */
export function QueueDetail(props: QueueDetailProps) {
  const { data: order, error, refetch } = useQuery(orderRead('seller', props.orderId))
  if (order === undefined) return error ? <FaultAlert error={error} retry={() => void refetch()} /> : <Loading />
  return <Decidable key={order.order_id} order={order} {...props} />
}

function Decidable({ order, isInLines, onLeaveLines, onSent, onRefused, isSendable }: QueueDetailProps & { order: Order }) {
  const decision = useDecision(order, { onSent, onRefused: (meant) => onRefused(order, meant) })
  const asks = openAsks(order)
  const ids = asks.map(({ unit_id }) => unit_id)
  const [line, setLine] = useState<string>()
  const active = line !== undefined && ids.includes(line) ? line : ids[0]
  const act = (action: 'accept' | 'counter' | 'reject') => {
    const ask = asks.find(({ unit_id }) => unit_id === active)
    if (ask === undefined) return
    decision.setLine(ask.unit_id, choose(ask, action))
    if (action === 'counter') focusPrice(ask.unit_id)
  }
  const counterAll = () => {
    decision.setAll('counter')
    if (active !== undefined) focusPrice(active)
  }
  const nextFault = () => {
    const [fault] = decision.effect.faults
    if (fault === undefined) return
    setLine(fault.unitId)
    focusPrice(fault.unitId)
  }
  useKeys('The order', [
    { keys: '1', does: 'Accept the line', run: () => act('accept') },
    { keys: '2', does: 'Counter the line', run: () => act('counter') },
    { keys: '3', does: 'Reject the line', run: () => act('reject') },
    { keys: 'a', does: 'Accept every line', run: () => decision.setAll('accept') },
    { keys: 'c', does: 'Counter every line', run: counterAll },
    { keys: 'r', does: 'Reject every line', run: () => decision.setAll('reject') },
    { keys: 'n', does: 'Next fault', run: nextFault },
    ...(isSendable ? [{ keys: 'mod+Enter', does: 'Send the decision', run: decision.send }] : []),
  ])
  const move = (step: number) => setLine(neighbor(ids, active, step))
  return (
    <>
      {isInLines && <LineKeys move={move} leave={onLeaveLines} />}
      <div className={classes.about}>
        <h2>
          <Anchor component={Link} to={`/orders/${order.order_id}` as '/'} c="inherit" fw={600}>
            {order.external_order_id}
          </Anchor>
        </h2>
        <span>{order.buyer_entity}</span>
        <Text c="dimmed" size="sm" component="span">
          {order.buyer_metadata.advertiser_id}
          {order.buyer_metadata.campaign_id !== undefined && `, ${order.buyer_metadata.campaign_id}`}
        </Text>
        <Status of={order.status} substatus={order.substatus} />
        <span>
          due in <Due by={order.waiting_on?.due_by} />
        </span>
        <Text c="dimmed" size="sm" component="span">
          {countText(asks.length, 'line')} to decide
        </Text>
      </div>
      <div className={classes.lines}>
        <Lines
          order={order}
          decision={order.allowed_actions.includes('decide') ? decision : undefined}
          active={active}
          onActive={setLine}
        />
      </div>
      <DecideBar order={order} decision={decision} />
    </>
  )
}

/** While the arrows are among the lines. */
function LineKeys({ move, leave }: { move: (step: number) => void; leave: () => void }) {
  useKeys('The lines', [
    { keys: 'j', does: 'Next line', run: () => move(1) },
    { keys: 'k', does: 'Previous line', run: () => move(-1) },
    { keys: 'ArrowDown', does: 'Next line', run: () => move(1) },
    { keys: 'ArrowUp', does: 'Previous line', run: () => move(-1) },
    { keys: 'Escape', does: 'Back to the orders', run: leave },
  ])
  return null
}

/** After the editor of the line has been rendered. */
function focusPrice(unitId: string): void {
  requestAnimationFrame(() => {
    const input = document.getElementById(`price-${unitId}`)
    if (input instanceof HTMLInputElement) {
      input.focus()
      input.select()
    }
  })
}
