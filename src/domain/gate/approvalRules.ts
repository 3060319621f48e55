import type { ApprovalRule } from '../../contract/approvalRules.ts'
import type { DecideOrder } from '../../contract/decideOrder.ts'
import { daysBetween, type IsoDate } from '../calendar.ts'
import { decimal } from '../decimal.ts'
import { firstAirDate } from '../order/cancel.ts'
import { totals } from '../order/snapshot.ts'
import type { OrderState } from '../order/state.ts'

/** Rules do not negotiate. */
type RuleDecision = DecideOrder & { decision: 'approve' | 'reject' }

/**
 * The rule that holds for an order in seller_review (choices, Approval rules): the first that matches wins; none does for an order that is not in
 * review. `today` is a UTC date.
 */
export function ruleFor(order: OrderState, rules: readonly ApprovalRule[], today: IsoDate): ApprovalRule | undefined {
  return order.status === 'seller_review' ? rules.find(({ when }) => matches(order, when, today)) : undefined
}

/** What a rule decides; `hold`, like no rule, leaves the order to a person. */
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

/** An order that names no date has no lead that could be enough. */
function leadDays(order: OrderState, today: IsoDate): number {
  const first = firstAirDate(order)
  return first === undefined ? Number.NEGATIVE_INFINITY : daysBetween(today, first)
}

/** Lists hold for every line; a list that is left out holds for all. */
function among<Value>(list: readonly Value[] | undefined, values: readonly Value[]): boolean {
  if (list === undefined) return true
  const listed = new Set(list)
  return values.every((value) => listed.has(value))
}
