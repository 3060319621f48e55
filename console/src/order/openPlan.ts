import type { Order, OrderEvent } from '../api/queries/orders.ts'

export type Plan = Extract<Order['artifacts'][number], { name: 'plan_proposal' }>

/** Returns the seller's latest plan for a proposal. */
export function openPlan({ artifacts }: Pick<Order, 'artifacts'>): Plan | undefined {
  return artifacts.findLast((artifact): artifact is Plan => artifact.name === 'plan_proposal')
}

/** Returns the platform's verdict on the plan, by the buyer's acceptance band. */
export function bandOf(
  events: readonly OrderEvent[],
  plan: Plan,
): Pick<OrderEvent, 'acceptance_band' | 'acceptance_band_reason' | 'computed_gross'> {
  return events.find(({ seq }) => seq === plan.seq) ?? {}
}
