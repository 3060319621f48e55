import { Anchor, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { OrderEvent } from '../../api/queries/orders.ts'
import { deedOf } from '../../order/ConflictNote.tsx'
import { Instant } from '../../ui/Due.tsx'
import { countText } from '../../ui/Money.tsx'
import { Status } from '../../ui/Status.tsx'
import classes from './OrderScreen.module.css'

/** Lists the order's events, latest first. Each entry links to the order's state at that time. */
export function Timeline({ events, orderId, seq }: { events: readonly OrderEvent[]; orderId: string; seq: number | undefined }) {
  const shown = seq ?? events.at(-1)?.seq
  return (
    <>
      <Title order={2}>Timeline</Title>
      <ol className={classes.timeline} reversed>
        {events.toReversed().map((event) => (
          <li key={event.seq} className={event.seq === shown ? classes.here : ''} aria-current={event.seq === shown || undefined}>
            <Anchor
              component={Link}
              to={`/orders/${orderId}` as '/'}
              search={(event === events.at(-1) ? {} : { seq: event.seq }) as never}
              c="inherit"
              underline="hover"
            >
              {deedOf(event)}
            </Anchor>
            <span className={classes.quiet}>
              {event.seq} · <Instant at={event.occurred_at} />
            </span>
            {event.prior_status !== event.status && event.decision_record !== undefined && <Status of={event.status} />}
            <Details event={event} />
          </li>
        ))}
      </ol>
    </>
  )
}

function Details({ event: { decision_record: record, cancellation, acceptance_band } }: { event: OrderEvent }) {
  const lines = [
    record &&
      `by ${record.gate.replaceAll('_', ' ')}${record.seller_order_id === undefined ? '' : `, seller's order ${record.seller_order_id}`}`,
    record?.reason ?? cancellation?.reason,
    record?.omitted && `left out of the document: ${record.omitted.map(omittedText).join('; ')}`,
    record?.acknowledged && `${countText(record.acknowledged.length, 'total')} of the document may differ from the lines`,
    acceptance_band && `acceptance band ${acceptance_band.replaceAll('_', ' ')}`,
  ].filter((line) => line !== undefined && line !== '')
  return lines.map((line) => (
    <span key={line} className={classes.quiet}>
      {line}
    </span>
  ))
}

type Omitted = NonNullable<NonNullable<OrderEvent['decision_record']>['omitted']>[number]

/** `line 4, Evening Movie, "not at this price"`. */
function omittedText({ line, read, note }: Omitted): string {
  const what = read.product?.read ?? read.program?.read
  return `line ${line}${what === undefined ? '' : `, ${what}`}${note === undefined ? '' : `, "${note}"`}`
}
