import type { DecideOrder } from '../../contract/decideOrder.ts'
import type { LineResult } from '../../contract/lineItem.ts'
import type { OrderSnapshot } from '../../contract/order.ts'
import { addDays, datesOfPeriod, datesOfWeek, type Instant, weekOf } from '../../domain/calendar.ts'
import { decimal, jsonNumber, money } from '../../domain/decimal.ts'
import { type Answer, type Habit, habitOf, PLAN_HABITS, type PlanHabit } from './habits.ts'

/** What a seller of the sandbox does next with an order, and when at the earliest, in epoch milliseconds. */
export type SellerMove = { readonly at: number } & (
  | { readonly does: 'decide'; readonly decision: DecideOrder }
  | { readonly does: 'plan'; readonly habit: PlanHabit }
  /** What the habits of placed lines send of them. */
  | { readonly does: 'follow_up' }
)

/** The part of an order by which a seller decides what it does. */
export type SeenOrder = Pick<
  OrderSnapshot,
  'seller' | 'status' | 'substatus' | 'last_seq' | 'updated_at' | 'request' | 'flight' | 'line_items' | 'waiting_on'
>

/** The actor of what the sandbox's sellers do. */
export const ACTOR = 'sandbox'
/** A second, so that a buyer sees each step. */
export const AFTER_S = 1
/** The second counter is at so many percent over the price that the line cites. */
const AGAIN_OVER_PCT = 2

/**
 * Returns the next move on an order; undefined if there is none until the order changes. It depends on the order and its lines alone, so that a
 * player who was killed and looks again does what is left. `now` is the time at which a quote of some seconds begins.
 */
export function nextSellerMove(order: SeenOrder, now: Instant): SellerMove | undefined {
  const since = Date.parse(order.waiting_on?.since ?? order.updated_at)
  switch (order.status) {
    case 'validating': {
      if (order.substatus !== 'awaiting_plan') return undefined
      const habit = planHabitOf(order)
      return { does: 'plan', habit, at: since + (habit.after_s ?? AFTER_S) * 1_000 }
    }
    case 'seller_review': {
      // The order of a seller with an API of its own is decided by that.
      if (order.substatus === 'awaiting_remote_decision') return undefined
      const asks = order.line_items.filter(isAsk)
      const habits = asks.map((line) => habitOf(order.seller, line.product_id))
      if (habits.some((habit) => habit?.answer.does === 'leave')) return undefined
      const after_s = Math.max(...habits.map((habit) => habit?.after_s ?? AFTER_S))
      return { does: 'decide', decision: decisionOn({ ...order, line_items: asks }, now), at: since + after_s * 1_000 }
    }
    case 'negotiating': {
      const decision = secondRound(order)
      return decision && { does: 'decide', decision, at: Date.parse(order.updated_at) + AFTER_S * 1_000 }
    }
    case 'placed':
      return order.line_items.some((line) => line.num_accepted > 0 && isFollowedUp(habitOf(order.seller, line.product_id)))
        ? { does: 'follow_up', at: Date.parse(order.updated_at) }
        : undefined
    default:
      return undefined
  }
}

function isFollowedUp(habit: Habit | undefined): boolean {
  return habit?.bills !== undefined || habit?.preempted === true
}

/** Returns the plan that a proposal asks for by the first of its anchors that is one. An anchor that is none, though it begins like one, is unmet. */
export function planHabitOf({ request }: Pick<SeenOrder, 'request'>): PlanHabit {
  const anchors = request?.anchor_package_ids ?? []
  const known = PLAN_HABITS.find(({ anchor }) => anchors.includes(anchor))
  if (known !== undefined) return known
  const [usual] = PLAN_HABITS as readonly [PlanHabit]
  const unknown = anchors.find((anchor) => anchor.startsWith(usual.anchor))
  if (unknown === undefined) return usual
  const possible = PLAN_HABITS.map(({ anchor }) => anchor).join(', ')
  return { ...usual, unmet: [`The sandbox has no plan ${unknown}; it has ${possible}.`] }
}

/** Returns the first decision on an order: each line by the habit of its product. */
export function decisionOn(
  { seller, flight, last_seq, line_items }: Pick<SeenOrder, 'seller' | 'flight' | 'last_seq' | 'line_items'>,
  now: Instant,
): DecideOrder {
  const units = line_items.map((line) => entryOf(line, habitOf(seller, line.product_id)?.answer ?? { does: 'accept' }, { flight, now }))
  const has = (action: (typeof units)[number]['action']) => units.some((unit) => unit.action === action)
  const decision = has('counter') ? 'counter' : has('accept') ? 'approve' : 'reject'
  return { decision, actor: ACTOR, units, last_seq, ...(has('reject') ? { reason: 'The sandbox rejects this product.' } : {}) }
}

type Entry = NonNullable<DecideOrder['units']>[number]

function entryOf(line: LineResult, answer: Answer, { flight, now }: Pick<SeenOrder, 'flight'> & { readonly now: Instant }): Entry {
  const { unit_id, units } = line
  switch (answer.does) {
    case 'accept':
    case 'leave':
      return { unit_id, action: 'accept' }
    case 'accept_half':
      return { unit_id, action: 'accept', num_accepted: Math.ceil(units / 2) }
    case 'reject':
      return { unit_id, action: 'reject' }
    case 'counter': {
      const expires = answer.expires_s === undefined ? undefined : new Date(Date.parse(now) + answer.expires_s * 1_000).toISOString()
      return {
        unit_id,
        action: 'counter',
        counter: { ...offerFor(line, flight, answer.over_pct), ...(expires && { quote_expires_at: expires }) },
      }
    }
  }
}

/** Returns a second counter on lines that are countered twice, once the first one stands. */
function secondRound({ seller, flight, line_items, last_seq }: SeenOrder): DecideOrder | undefined {
  const again = line_items.filter((line) => {
    const answer = habitOf(seller, line.product_id)?.answer
    if (!isAsk(line) || line.status !== 'countered' || answer?.does !== 'counter' || !answer.again) return false
    return line_items.filter(({ in_response_to }) => in_response_to === line.unit_id).length === 1
  })
  if (again.length === 0) return undefined
  const units = again.map((line) => ({
    unit_id: line.unit_id,
    action: 'counter' as const,
    counter: offerFor(line, flight, AGAIN_OVER_PCT),
  }))
  return { decision: 'counter', actor: ACTOR, units, last_seq }
}

/** The week after the one of the line, or the same if the flight ends before it, at so many percent over its price. */
function offerFor({ period, rate }: LineResult, flight: SeenOrder['flight'], over_pct: number) {
  const basis = rate.unit_cost === undefined ? 'cpm' : 'unit_cost'
  const cost = decimal(rate[basis] ?? 0)
    .times(decimal(100 + over_pct))
    .div(decimal(100))
  const { first } = datesOfPeriod(period.grain, period.start)
  const after = weekOf(addDays(first, 7))
  const fits = flight === undefined || (datesOfWeek(after).at(-1) ?? '') <= flight.end
  return { week: fits ? after : weekOf(first), [basis]: jsonNumber(money(cost, rate.currency)) }
}

function isAsk(line: LineResult): boolean {
  return line.in_response_to === undefined
}
