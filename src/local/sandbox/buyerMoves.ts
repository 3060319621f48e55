import type { CreateOrder } from '../../contract/createOrder.ts'
import type { OrderSnapshot } from '../../contract/order.ts'
import type { BuyerAnswer } from '../../contract/vocabulary/sandbox.ts'
import { BUYER_HABITS } from './habits.ts'

/** What the sandbox's buyer does next with an order of its own, and when at the earliest, in epoch milliseconds. */
export type BuyerMove = { readonly at: number } & (
  | { readonly does: 'respond'; readonly action: 'accept' | 'withdraw' }
  | { readonly does: 'confirm'; readonly action: 'confirm' | 'reject'; readonly plan_id?: string }
  | { readonly does: 'cancel' }
  | { readonly does: 'revise' }
)

const PREFIX = 'sandbox: '
const AFTER_MS = 1_000

/** The campaign_id of an order of the sandbox's buyer says what that will do: the order is all that a player needs to go on. */
export function campaignOf(habit: BuyerAnswer): string {
  return `${PREFIX}${habit}`
}

/** Returns the next move on an order; undefined if there is none until the order changes. */
export function nextBuyerMove(order: OrderSnapshot): BuyerMove | undefined {
  const habit = buyerHabitOf(order)
  if (habit === undefined || habit === 'silent') return undefined
  const at = Date.parse(order.updated_at) + AFTER_MS
  if (habit === 'cancels')
    return ['seller_review', 'negotiating', 'needs_confirmation', 'placed'].includes(order.status) ? { does: 'cancel', at } : undefined
  if (habit === 'revises' && order.status === 'seller_review' && order.workflow === 'catalog') return { does: 'revise', at }
  const accepts = habit !== 'withdraws'
  if (order.status === 'negotiating' && order.substatus !== 'quote_lapsed')
    return { does: 'respond', action: accepts ? 'accept' : 'withdraw', at }
  if (order.status !== 'needs_confirmation') return undefined
  const plan = order.artifacts.find((artifact) => artifact.name === 'plan_proposal')
  return {
    does: 'confirm',
    action: accepts ? 'confirm' : 'reject',
    at,
    ...(plan?.name === 'plan_proposal' ? { plan_id: plan.plan_id } : {}),
  }
}

function buyerHabitOf({ buyer_metadata: { campaign_id = '' } }: Pick<OrderSnapshot, 'buyer_metadata'>): BuyerAnswer | undefined {
  const named = campaign_id.startsWith(PREFIX) ? campaign_id.slice(PREFIX.length) : ''
  return named in BUYER_HABITS ? (named as BuyerAnswer) : undefined
}

/** Returns the revision of an order: a unit more of each line. Its answers are those of a buyer who accepts. */
export function revisionOf({ seller, external_order_id, rate_version, buyer_metadata, line_items, order_id }: OrderSnapshot): CreateOrder {
  return {
    seller,
    external_order_id: `${external_order_id}-revised`,
    rate_version,
    buyer_metadata: { ...buyer_metadata, campaign_id: campaignOf('accepts') },
    revision: { supersedes: order_id },
    line_items: line_items
      .filter(({ in_response_to }) => in_response_to === undefined)
      .map(({ product_id, period, units, spot_length, rate }) => {
        const { rate_basis: _derived, ...cited } = rate
        return { product_id, period, units: units + 1, spot_length, rate: cited }
      }),
  }
}
