import type { ApprovalRule } from '../../contract/approvalRules.ts'
import type { DecideOrder } from '../../contract/decideOrder.ts'
import { daysBetween, type IsoDate } from '../calendar.ts'
import { decimal } from '../decimal.ts'
import { firstAirDate } from '../order/cancel.ts'
import { totals } from '../order/snapshot.ts'
import type { OrderState } from '../order/state.ts'

/** Rules approve or reject; they never counter. */
type RuleDecision = DecideOrder & { decision: 'approve' | 'reject' }

/**
 * Returns the first rule that matches an order in seller_review (choices, Approval rules); undefined if none does or the order is not in review.
 * `today` is a UTC date.
 */
export function ruleFor(order: OrderState, rules: readonly ApprovalRule[], today: IsoDate): ApprovalRule | undefined {
  return order.status === 'seller_review' ? rules.find(({ when }) => matches(order, when, today)) : undefined
}

/** Returns the decision of a rule; undefined for `hold` or no rule, which leave the order to a person. */
export function decisionOf(rule: ApprovalRule | undefined): RuleDecision | undefined {
  if (rule === undefined || rule.then === 'hold') return undefined
  return { decision: rule.then, actor: `rule:${rule.id}` }
}

function matches(order: OrderState, when: ApprovalRule['when'], today: IsoDate): boolean {
  const { max_gross, min_lead_days, advertisers, products, buyers, market_classes, grains } = when
  const { lines, request, facts } = order
  return (
    (max_gross === undefined || decimal(totals(order).gross).lte(decimal(max_gross))) &&
    (min_lead_days === undefined || leadDays(order, today) >= min_lead_days) &&
    among(advertisers, [request.buyer_metadata.advertiser_id]) &&
    among(buyers, [facts.buyer_entity]) &&
    among(
      products,
      lines.map(({ product_id }) => product_id),
    ) &&
    among(
      market_classes,
      lines.map(({ rate }) => rate.market_class),
    ) &&
    among(
      grains,
      lines.map(({ period }) => period.grain),
    )
  )
}

/** Returns the days to the first air date. An order without dates meets no min_lead_days. */
function leadDays(order: OrderState, today: IsoDate): number {
  const first = firstAirDate(order)
  return first === undefined ? Number.NEGATIVE_INFINITY : daysBetween(today, first)
}

/** Returns true if the list contains every value, or is omitted. */
function among<Value>(list: readonly Value[] | undefined, values: readonly Value[]): boolean {
  if (list === undefined) return true
  const listed = new Set(list)
  return values.every((value) => listed.has(value))
}
