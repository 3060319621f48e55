import { Alert, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNow } from '../api/clock.ts'
import { Fault } from '../api/fault.ts'
import { type Order, type OrderEvent, orderEvents, orderRead, type Side } from '../api/queries/orders.ts'
import { useSession } from '../api/session.ts'
import { agoText } from '../ui/Due.tsx'
import { Icon } from '../ui/icons.tsx'
import { statusWord } from '../ui/Status.tsx'

export function isConflict(error: unknown): boolean {
  return error instanceof Fault && error.code === 'INVALID_STATE'
}

/** Somebody was faster: who, what and when, beside what was about to be sent. */
export function ConflictNote({ order: seen, meant, onClose }: { order: Order; meant: string; onClose?: () => void }) {
  const now = useNow()
  const side = useSession().side as Side
  const { data: order = seen } = useQuery(orderRead(side, seen.order_id))
  const { data: events = [] } = useQuery(orderEvents(seen.order_id))
  const last = events.at(-1)
  return (
    <Alert
      color="orange"
      variant="outline"
      icon={<Icon name="alert" />}
      title={last ? `${deedOf(last)} ${agoText(now - Date.parse(last.occurred_at))}` : 'The order has moved on'}
      role="alert"
      withCloseButton={onClose !== undefined}
      closeButtonLabel="Close"
      {...(onClose && { onClose })}
      styles={{ title: { color: 'var(--warn)' }, icon: { color: 'var(--warn)' } }}
    >
      <Text size="sm">
        Nothing of yours was sent for {order.external_order_id}. You meant: {meant}. The order is now{' '}
        {statusWord(order.status).toLowerCase()}
        {order.allowed_actions.length > 0 ? `; you can still ${order.allowed_actions.join(' or ')}.` : '; nothing is left to do.'}
      </Text>
    </Alert>
  )
}

/** An event as a sentence: `Priya Raman approved this`. */
export function deedOf({ decision_record: record, cancellation, status, error }: OrderEvent): string {
  if (record !== undefined) return `${record.actor} ${DEEDS[record.decision]} this`
  if (cancellation !== undefined) return `${cancellation.actor} canceled this`
  if (error !== undefined) return `Failed: ${error.error_message}`
  return `Became ${statusWord(status).toLowerCase()}`
}

const DEEDS = { approve: 'approved', reject: 'rejected', counter: 'countered', confirm: 'confirmed', accept: 'accepted' } as const
