import type { PlanLine, PlanOrder } from '../../contract/planOrder.ts'
import { addDays, addMinutes, dateOf, type Instant, weekOf } from '../../domain/calendar.ts'
import { decimal, jsonNumber, money } from '../../domain/decimal.ts'
import type { PlanHabit } from './habits.ts'
import { PRICE, SPOT_LENGTH } from './inventory.ts'
import type { SeenOrder } from './sellerMoves.ts'

/** The product of plans at published prices. */
export const PLANNED_PRODUCT = 'sbx-approved'
/** The budget of a request that names none, in units of the sandbox's price. */
const UNITS_WITHOUT_BUDGET = 10
/** A plan without a flight is for the fifth week from the request. */
const WITHOUT_FLIGHT_DAYS = 28
const EXPIRES_MINUTES = 1_440

type Proposal = Pick<SeenOrder, 'request' | 'flight' | 'updated_at'>

/** Returns the week of a plan: the first of the flight. */
export function weekOfPlan({ request, flight, updated_at }: Proposal): string {
  return weekOf((request?.flight ?? flight)?.start ?? addDays(dateOf(updated_at), WITHOUT_FLIGHT_DAYS))
}

/**
 * Returns the plan for a proposal, at the published price of its week. It depends on nothing else, so that the same plan is sent again by whoever
 * does not know that it was sent.
 */
export function planFor(order: Proposal, habit: PlanHabit, locked_rate_id: string): PlanOrder {
  const { request } = order
  const expires_at = addMinutes(order.updated_at, EXPIRES_MINUTES)
  const budget = decimal(request?.budget_gross ?? UNITS_WITHOUT_BUDGET * PRICE)
  const aim = habit.on_edge ? edgeOf(request, budget) : { gross: budget.times(decimal(habit.of_budget_pct ?? 100)).div(decimal(100)) }
  const line =
    habit.minted || habit.on_edge ? quotedLine(order, aim.gross, habit, expires_at) : publishedLine(order, aim.gross, locked_rate_id)
  const cost = line.quote?.unit_cost ?? line.rate.unit_cost ?? 0
  const gross = jsonNumber(decimal(cost).times(decimal(line.units ?? 1)))
  const goal = request?.audience?.currency_goal
  const delivered = aim.delivery ?? goal?.target
  return {
    plan_id: `${habit.anchor}-1`,
    actor: 'sandbox',
    line_items: [line],
    plan_totals: { gross, ...(goal === undefined || delivered === undefined ? {} : { projected_delivery: { [goal.unit]: delivered } }) },
    ...(habit.unmet === undefined ? {} : { unmet: [...habit.unmet] }),
    expires_at,
  }
}

/** Returns the figures at the edge of the request's acceptance band; the budget itself without one. */
function edgeOf(request: SeenOrder['request'], budget: ReturnType<typeof decimal>) {
  const { acceptance_band: band, audience } = request ?? {}
  const pct = decimal(band?.tolerance_pct ?? 0).div(decimal(100))
  if (band?.metric === 'delivery' && audience?.currency_goal !== undefined)
    return { gross: budget, delivery: jsonNumber(decimal(audience.currency_goal.target).times(decimal(1).minus(pct))) }
  return { gross: budget.times(decimal(1).plus(pct)) }
}

const RATE = { market_class: 'scatter', advertiser_class: 'general', buy_type: 'preemptible', currency: 'USD' } as const

function publishedLine(order: Proposal, gross: ReturnType<typeof decimal>, locked_rate_id: string): PlanLine {
  return {
    product_id: PLANNED_PRODUCT,
    period: { grain: 'week', start: weekOfPlan(order) },
    units: Math.max(1, Math.floor(jsonNumber(gross.div(decimal(PRICE))))),
    spot_length: SPOT_LENGTH,
    rate: { ...RATE, unit_cost: PRICE, locked_rate_id },
  }
}

/** A single unit at a quote for the whole sum. */
function quotedLine(order: Proposal, gross: ReturnType<typeof decimal>, { minted }: PlanHabit, expires_at: Instant): PlanLine {
  const start = weekOfPlan(order)
  const product = {
    type: 'daypart' as const,
    name: 'Minted for you',
    network: 'SBX',
    definition: {
      selling_title: 'Minted for you',
      days: ['Mon' as const, 'Wed' as const, 'Fri' as const],
      start: '20:00',
      end: '21:00',
      timezone: 'America/New_York',
    },
    currencies: [],
    buy_types: ['preemptible' as const],
    grains: ['week' as const],
    visibility: 'open' as const,
    disclosure: { pricing_policy: 'published' as const, avails_policy: 'published' as const },
  }
  return {
    ...(minted ? { product } : { product_id: PLANNED_PRODUCT }),
    period: { grain: 'week', start },
    units: 1,
    spot_length: SPOT_LENGTH,
    rate: RATE,
    quote: { unit_cost: jsonNumber(money(gross, 'USD')), expires_at },
  }
}

/** When to look at an order again, in epoch milliseconds; null: not before it changes. */
export type NextLook = number | null
