import type { Order } from '../../api/queries/orders.ts'

type Plan = Extract<Order['artifacts'][number], { name: 'plan_proposal' }>

/** The latest plan of the seller for a proposal. */
export function openPlan({ artifacts }: Order): Plan | undefined {
  return artifacts.findLast((artifact): artifact is Plan => artifact.name === 'plan_proposal')
}
