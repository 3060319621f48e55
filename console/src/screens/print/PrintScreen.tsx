import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Order, orderEvents, orderRead, type Side } from '../../api/queries/orders.ts'
import { useSession } from '../../api/session.ts'
import { deedOf } from '../../order/ConflictNote.tsx'
import { OrderPage } from '../../order/OrderPage.tsx'
import { Instant } from '../../ui/Due.tsx'
import { countText, Money } from '../../ui/Money.tsx'
import { Named } from '../../ui/Named.tsx'
import { statusWord } from '../../ui/Status.tsx'
import { AirWeeks } from './AirWeeks.tsx'
import { PrintLines } from './PrintLines.tsx'
import classes from './PrintScreen.module.css'

const route = getRouteApi('/orders/$id/print')

/** An order on paper: the parties, its lines, dates, total and terms, and who decided it. */
export function PrintScreen() {
  const { id } = route.useParams()
  const { side } = useSession()
  const order = useQuery(orderRead(side as Side, id))
  return (
    <OrderPage
      order={order}
      id={id}
      name="Print"
      aside={
        <Button size="xs" onClick={() => window.print()}>
          Print
        </Button>
      }
    >
      {(read) => (
        <div className={classes.scroller}>
          <Paper order={read} />
        </div>
      )}
    </OrderPage>
  )
}

function Paper({ order }: { order: Order }) {
  const { data: events = [] } = useQuery(orderEvents(order.order_id))
  const decided = events.findLast(({ decision_record, cancellation, error }) => decision_record ?? cancellation ?? error)
  const reason = decided?.decision_record?.reason ?? decided?.cancellation?.reason
  return (
    <article className={classes.paper} aria-label="The order on paper">
      <header>
        <h2>Order {order.external_order_id}</h2>
        <p>
          {statusWord(order.status)}, version {order.revision.version}
          {order.revision.supersedes !== null && `, replaces ${order.revision.supersedes}`}
        </p>
      </header>
      <Parties order={order} />
      <section>
        <h3>Lines</h3>
        <PrintLines order={order} />
      </section>
      <AirWeeks order={order} />
      <Terms order={order} />
      <section>
        <h3>Decision</h3>
        {decided === undefined ? (
          <p>Nobody has decided this order yet.</p>
        ) : (
          <p>
            {deedOf(decided)}, <Instant at={decided.occurred_at} date="paper" />
            {decided.decision_record && `, by ${decided.decision_record.gate.replaceAll('_', ' ')}`}
            {decided.decision_record?.seller_order_id !== undefined && `. The seller's order: ${decided.decision_record.seller_order_id}`}
            {reason !== undefined && reason !== '' && <q className={classes.reason}>{reason}</q>}
          </p>
        )}
      </section>
      <footer>
        {order.order_id}, event {order.last_seq}
      </footer>
    </article>
  )
}

function Parties({ order }: { order: Order }) {
  const { advertiser_id, campaign_id, estimate_id, buyer_contact: contact } = order.buyer_metadata
  return (
    <dl className={classes.parties}>
      <Fact name="Seller">
        <Named name={order.seller_name} id={order.seller} />
      </Fact>
      <Fact name="Buyer">
        <Named name={order.buyer_name} id={order.buyer_entity} />
      </Fact>
      <Fact name="Advertiser">{advertiser_id}</Fact>
      <Fact name="Campaign">{campaign_id}</Fact>
      <Fact name="Estimate">{estimate_id}</Fact>
      <Fact name="Contact">{[contact?.name, contact?.email, contact?.phone].filter(Boolean).join(', ')}</Fact>
      <Fact name="Flight">{order.flight && `${order.flight.start} to ${order.flight.end}`}</Fact>
      <Fact name="Created">
        <Instant at={order.created_at} date="paper" />
      </Fact>
    </dl>
  )
}

function Terms({ order: { totals, settlement_mode, agreement_id, rate_version, cancellation_terms: terms } }: { order: Order }) {
  return (
    <section>
      <h3>Totals and terms</h3>
      <dl className={classes.parties}>
        <Fact name="Gross">
          <strong>
            <Money amount={totals.gross} currency={totals.currency} />
          </strong>
        </Fact>
        <Fact name="Settlement">{settlement_mode}</Fact>
        <Fact name="Agreement">{agreement_id}</Fact>
        <Fact name="Rate card">{rate_version}</Fact>
        <Fact name="Cancellation">
          {terms &&
            `${countText(terms.notice_days, 'day')} of notice${terms.late_fee_pct === undefined ? '' : `, late fee ${terms.late_fee_pct}%`}`}
        </Fact>
      </dl>
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === undefined || children === null || children === '') return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
