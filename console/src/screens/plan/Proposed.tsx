import { useQuery } from '@tanstack/react-query'
import { type Order, orderEvents } from '../../api/queries/orders.ts'
import { Lines } from '../../order/Lines.tsx'
import { bandOf, type Plan } from '../../order/openPlan.ts'
import { Due, Instant } from '../../ui/Due.tsx'
import { Icon } from '../../ui/icons.tsx'
import { countText, Money, moneyText } from '../../ui/Money.tsx'
import classes from './PlanScreen.module.css'

const VERDICTS = {
  satisfied: ['check', 'within the band'],
  not_satisfied: ['alert', 'outside of the band'],
  not_evaluable: ['alert', 'the band cannot be checked'],
} as const

/** Shows the latest plan: its lines, the seller's statements about it, and how it fits the buyer's acceptance band. */
export function Proposed({ order, plan }: { order: Order; plan: Plan }) {
  const { data: events = [] } = useQuery(orderEvents(order.order_id))
  const { acceptance_band: band, acceptance_band_reason: why } = bandOf(events, plan)
  const { currency } = order.totals
  const { gross, projected_delivery: delivery = {} } = plan.plan_totals
  const [icon, verdict] = band === undefined ? [] : VERDICTS[band]
  return (
    <section aria-label="Plan">
      <div className={classes.facts}>
        <span>
          {plan.plan_id}
          {plan.actor !== undefined && ` by ${plan.actor}`}
        </span>
        {gross !== undefined && (
          <span>
            stated gross{' '}
            <strong>
              <Money amount={gross} currency={currency} />
            </strong>
          </span>
        )}
        {plan.computed_gross !== undefined && <span>its lines come to {moneyText(plan.computed_gross, currency)}</span>}
        {Object.entries(delivery).map(([code, count]) => (
          <span key={code}>
            {countText(Number(count), 'impression')} of {code}
          </span>
        ))}
        {icon && (
          <span className={band === 'satisfied' ? classes.good : classes.warn}>
            <Icon name={icon} size={14} /> {verdict}
            {why !== undefined && `: ${why.replaceAll('_', ' ')}`}
          </span>
        )}
        <span>
          open until <Instant at={plan.expires_at} /> (<Due by={plan.expires_at} isExpiry />)
        </span>
      </div>
      <Lines order={{ ...order, line_items: plan.line_items }} />
      {plan.unmet.length > 0 && (
        <>
          <h2 className={classes.unmet}>What it does not meet</h2>
          <ul>
            {plan.unmet.map((one) => (
              <li key={JSON.stringify(one)}>{typeof one === 'string' ? one : JSON.stringify(one)}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
