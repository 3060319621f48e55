import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useNow } from '../api/clock.ts'
import { Fault } from '../api/fault.ts'
import { type Decide, type Order, type OrderEvent, orderEvents, orderRead, type Side } from '../api/queries/orders.ts'
import { useSession } from '../api/session.ts'
import { agoText } from '../ui/Due.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Status, statusWord } from '../ui/Status.tsx'
import classes from './ConflictNote.module.css'

export function isConflict(error: unknown): boolean {
  return error instanceof Fault && error.code === 'INVALID_STATE'
}

interface ConflictNoteProps {
  /** The order as the user saw it. */
  order: Order
  /** What the user tried to do, or was about to, as text; empty for somebody who only looked. */
  tried?: string | undefined
  /** The decision that the user meant. */
  meant?: Decide['decision'] | undefined
  /** The choice that the user meant for each line. */
  lines?: readonly { readonly unitId: string; readonly text: string }[]
  onClose?: () => void
  children?: ReactNode
}

/** Says who changed the order first, compares the unsent choices with the current lines, and offers what is still possible. */
export function ConflictNote({ order: seen, tried = '', meant, lines = [], onClose, children }: ConflictNoteProps) {
  const side = useSession().side as Side
  const { data: order = seen } = useQuery(orderRead(side, seen.order_id))
  const isMeant = tried !== '' || meant !== undefined
  return (
    <Notice title={<WhoWasFaster orderId={seen.order_id} meant={meant} />} onClose={onClose}>
      <Text size="sm">
        {isMeant && `Nothing of yours was sent for ${order.external_order_id}. `}
        {tried !== '' && `You meant: ${tried}. `}
        The order is now {statusWord(order.status).toLowerCase()}
        {order.allowed_actions.length > 0 ? `; you can still ${order.allowed_actions.join(' or ')}.` : '; nothing is left to do.'}{' '}
        <Anchor component={Link} to={`/orders/${order.order_id}` as '/'} size="sm" underline="always">
          Open the order
        </Anchor>
      </Text>
      {lines.length > 0 && <Compared lines={lines} order={order} />}
      {children}
    </Notice>
  )
}

/** `Sam Ito approved this 2 s ago; you meant to reject`. */
export function WhoWasFaster({ orderId, meant }: { orderId: string; meant?: Decide['decision'] | undefined }) {
  const now = useNow()
  const { data: events = [] } = useQuery(orderEvents(orderId))
  const last = events.at(-1)
  const deed = last ? `${deedOf(last)} ${agoText(now - Date.parse(last.occurred_at))}` : 'The order has moved on'
  return meant === undefined ? deed : `${deed}; you meant to ${meant}`
}

const SHOWN_LINES = 6

function Compared({ lines, order }: { lines: NonNullable<ConflictNoteProps['lines']>; order: Order }) {
  const now = new Map(order.line_items.map((line) => [line.unit_id, line]))
  return (
    <table className={classes.compared}>
      <thead>
        <tr>
          <th scope="col">Line</th>
          <th scope="col">You meant</th>
          <th scope="col">It is now</th>
        </tr>
      </thead>
      <tbody>
        {lines.slice(0, SHOWN_LINES).map(({ unitId, text }) => {
          const line = now.get(unitId)
          return (
            <tr key={unitId}>
              <th scope="row">{line === undefined ? unitId : `${line.product_title ?? line.product_id} ${line.period.start}`}</th>
              <td>{text}</td>
              <td>{line && <Status of={line.status} />}</td>
            </tr>
          )
        })}
      </tbody>
      {lines.length > SHOWN_LINES && (
        <caption>
          The first {SHOWN_LINES} of {lines.length} lines
        </caption>
      )}
    </table>
  )
}

/** Writes an event as a sentence: `Priya Raman approved this`. */
export function deedOf({ decision_record: record, cancellation, status, error }: OrderEvent): string {
  if (record !== undefined) return `${record.actor} ${DEEDS[record.decision]} this`
  if (cancellation !== undefined) return `${cancellation.actor} canceled this`
  if (error !== undefined) return `Failed: ${error.error_message}`
  return `Moved to ${statusWord(status).toLowerCase()}`
}

const DEEDS = { approve: 'approved', reject: 'rejected', counter: 'countered', confirm: 'confirmed', accept: 'accepted' } as const
