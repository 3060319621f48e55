import type { ReactNode } from 'react'
import type { Order } from '../../api/queries/orders.ts'
import { countText, moneyText } from '../../ui/Money.tsx'
import { Named } from '../../ui/Named.tsx'
import classes from './PlanScreen.module.css'

type Request = NonNullable<Order['request']>

/** Shows the buyer's request, with the band within which a plan counts as confirmed. */
export function RequestFacts({ order }: { order: Order }) {
  const { request } = order
  if (request === undefined) return null
  const { audience, anchor_package_ids: anchors = [], budget_gross, constraints = {} } = request
  const goal = audience?.currency_goal
  const flight = request.flight ?? order.flight
  return (
    <section className={classes.request} aria-label="Request">
      <h2>Request</h2>
      {request.brief !== undefined && <p className={classes.brief}>{request.brief}</p>}
      <dl>
        <Fact name="Kind">{request.request_type.replaceAll('_', ' ')}</Fact>
        <Fact name="Buyer">
          <Named name={order.buyer_name} id={order.buyer_entity} />
        </Fact>
        <Fact name="Advertiser">{order.buyer_metadata.advertiser_id}</Fact>
        <Fact name="Flight">{flight && `${flight.start} to ${flight.end}`}</Fact>
        <Fact name="Budget">{budget_gross !== undefined && moneyText(budget_gross, order.totals.currency)}</Fact>
        <Fact name="Audience">{audience?.audience_id}</Fact>
        <Fact name="Goal">{goal && `${countText(goal.target, 'impression')}, ${goal.unit}`}</Fact>
        <Fact name="Band">{bandText(request)}</Fact>
        <Fact name="Wished for">{anchors.length > 0 && anchors.join(', ')}</Fact>
        {Object.entries(constraints).map(([name, value]) => (
          <Fact key={name} name={name.replaceAll('_', ' ')}>
            {typeof value === 'object' ? JSON.stringify(value) : String(value)}
          </Fact>
        ))}
      </dl>
    </section>
  )
}

function bandText({ acceptance_band: band }: Request): string | undefined {
  if (band === undefined) return undefined
  const then = band.action === 'auto_accept' ? 'confirms the plan automatically' : 'is flagged'
  return `${band.metric} within ${band.tolerance_pct}%: ${then}`
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === undefined || children === false) return null
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
