import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useDownSince } from '../../api/health.ts'
import { type Delivery, type Endpoint, resendDelivery } from '../../api/queries/webhooks.ts'
import { Instant } from '../../ui/Due.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { useKeys } from '../../ui/keys.ts'
import { DeliveryState } from './state.tsx'
import classes from './Webhooks.module.css'

/** Shows one delivery with its attempts, and sends its event again. */
export function DeliveryDetail({ endpoint, delivery }: { endpoint: Endpoint; delivery: Delivery }) {
  const queries = useQueryClient()
  const isDown = useDownSince() !== undefined
  const { endpoint_id: id } = endpoint
  const resending = useMutation({
    mutationFn: () => resendDelivery(id, delivery.delivery_id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['webhooks', id] }),
  })
  const resend = () => {
    if (!isDown && !resending.isPending) resending.mutate()
  }
  useKeys('Deliveries', [{ keys: 'r', does: 'Send the event of this delivery again', run: resend }])
  return (
    <aside className={classes.detail} aria-label="Delivery">
      <DeliveryState delivery={delivery} />
      <dl>
        <dt>Event</dt>
        <dd>{delivery.event_type}</dd>
        {delivery.order_id !== undefined && (
          <>
            <dt>Order</dt>
            <dd>
              <Link to="/orders/$id" params={{ id: delivery.order_id }}>
                {delivery.order_id}
              </Link>
              , event {delivery.seq}
            </dd>
          </>
        )}
        <dt>Event id</dt>
        <dd>{delivery.event_id}</dd>
        <dt>Delivery</dt>
        <dd>{delivery.delivery_id}</dd>
        {delivery.redelivery_of !== undefined && (
          <>
            <dt>Repeats</dt>
            <dd>{delivery.redelivery_of}</dd>
          </>
        )}
      </dl>
      <h2>Attempts</h2>
      {delivery.attempts.length === 0 && <p>None yet.</p>}
      <ol>
        {delivery.attempts.map(({ at, status_code, error, latency_ms }) => (
          <li key={at}>
            <Instant at={at} /> <strong>{status_code ?? error}</strong> in {latency_ms} ms
          </li>
        ))}
      </ol>
      <FaultAlert error={resending.error} title="Nothing was sent" />
      {resending.isSuccess && <p role="status">Sent again as a new delivery.</p>}
      <Button size="xs" variant="default" disabled={isDown} loading={resending.isPending} onClick={resend}>
        Send it again
      </Button>
    </aside>
  )
}
