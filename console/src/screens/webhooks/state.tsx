import type { Delivery, Endpoint } from '../../api/queries/webhooks.ts'
import { Mark } from '../../ui/Mark.tsx'

/** Shows whether an endpoint accepts events, and why not. */
export function EndpointState({ endpoint: { status, disabled_reason, failing_since } }: { endpoint: Endpoint }) {
  if (status === 'disabled') return <Mark icon="ban" tone="bad" word="Disabled" detail={disabled_reason?.replaceAll('_', ' ')} />
  if (failing_since !== undefined) return <Mark icon="alert" tone="warn" word="Failing" />
  return <Mark icon="check" tone="good" word="Active" />
}

export function DeliveryState({ delivery: { status, dropped_reason } }: { delivery: Delivery }) {
  if (status === 'delivered') return <Mark icon="check" tone="good" word="Delivered" />
  if (status === 'pending') return <Mark icon="clock" tone="info" word="Pending" />
  return <Mark icon="cross" tone="bad" word="Dropped" detail={dropped_reason?.replaceAll('_', ' ')} />
}
