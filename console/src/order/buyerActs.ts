import { type Confirm, cancelOrder, confirmOrder, type Order, respondOrder } from '../api/queries/orders.ts'
import { openPlan } from './openPlan.ts'
import { openCounters } from './rounds.ts'

/** The acts that a buyer can take on an order. */
export type Act = 'accept' | 'withdraw' | 'confirm' | 'refuse' | 'cancel'

export type Resolution = NonNullable<Confirm['resolutions']>[number]

export const TITLES: Record<Act, string> = {
  accept: 'Accept the counters',
  withdraw: 'Withdraw the order',
  confirm: 'Confirm the order',
  refuse: 'Reject what is proposed',
  cancel: 'Cancel the order',
}

export const MEANINGS: Record<Act, string> = {
  accept: 'The order is placed at the prices below; the lines that they answer are not booked.',
  withdraw: 'The order ends as canceled; nothing of it airs.',
  confirm: 'The lines go to the seller for its decision.',
  refuse: 'The order ends as canceled; nothing of it airs.',
  cancel: 'The order ends as canceled. The seller sees that and your reason.',
}

/** The actions of which one must be allowed. */
const NEEDS = {
  accept: ['respond'],
  withdraw: ['respond', 'withdraw'],
  confirm: ['confirm'],
  refuse: ['confirm'],
  cancel: ['cancel'],
} as const satisfies Record<Act, readonly Order['allowed_actions'][number][]>

/** Whether the order allows the act now. Counters can be accepted while at least one is open. */
export function isAllowed(act: Act, { allowed_actions, line_items }: Order): boolean {
  return NEEDS[act].some((action) => allowed_actions.includes(action)) && (act !== 'accept' || openCounters(line_items).length > 0)
}

interface Said {
  readonly actor: string
  readonly reason: string
  readonly resolutions: readonly Resolution[]
  /** The totals of a document, by equation_id, that may differ from what its lines come to. */
  readonly acknowledge: readonly string[]
  /** Whether the answers are proposed for the next document of the same layout. */
  readonly remember: boolean
}

/** Sends the act for the state of the order that the user saw. */
export function sendAct(act: Act, order: Order, { actor, reason, resolutions, acknowledge, remember }: Said): Promise<unknown> {
  const command = { orderId: order.order_id, lastSeq: order.last_seq }
  const said = { actor, ...(reason !== '' && { reason }) }
  if (act === 'cancel') return cancelOrder({ ...command, body: said })
  if (act === 'accept' || act === 'withdraw') return respondOrder({ ...command, body: { action: act, ...said } })
  const plan = openPlan(order)
  const body = {
    action: act === 'confirm' ? ('confirm' as const) : ('reject' as const),
    ...(plan !== undefined && { plan_id: plan.plan_id }),
    ...(act === 'confirm' && resolutions.length > 0 && { resolutions: [...resolutions] }),
    ...(act === 'confirm' && remember && { remember }),
    ...(act === 'confirm' && acknowledge.length > 0 && { acknowledge: [...acknowledge] }),
    ...said,
  }
  return confirmOrder({ ...command, body })
}
