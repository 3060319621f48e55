import type { PlanTotals } from '../../contract/planProposal.ts'
import type { ProposalRequest } from '../../contract/proposalRequest.ts'
import type { BandReason, BandVerdict } from '../../contract/vocabulary.ts'
import { type Decimal, type DecimalLike, decimal } from '../decimal.ts'

/** The verdict of a band, with a reason if it is not evaluable although no figure is missing. */
export interface BandResult {
  readonly verdict: BandVerdict
  readonly reason?: BandReason
}

/**
 * Evaluates the acceptance band of a request against the totals that a plan states (contract, Acceptance band). Compares exact decimals, inclusive
 * of the bound; over-delivery and a gross under budget never fail. A delivery band looks at the projected delivery alone. Under a budget band
 * a plan that states less than `exactGross`, what its lines come to before any rounding, is not evaluable and goes to a person. Null if the
 * request has no band.
 */
export function evaluateBand(request: ProposalRequest, totals: PlanTotals, exactGross: DecimalLike): BandResult | null {
  const { acceptance_band: band, audience, budget_gross } = request
  if (band === undefined) return null
  switch (band.metric) {
    case 'delivery': {
      const goal = audience?.currency_goal
      const planned = goal === undefined ? undefined : statedFor(goal.unit, totals)
      if (goal === undefined || planned === undefined) return { verdict: 'not_evaluable' }
      return verdict(decimal(planned).gte(edge(goal.target, decimal(100).minus(decimal(band.tolerance_pct)))))
    }
    case 'budget': {
      const { gross } = totals
      if (gross !== undefined && decimal(gross).lt(decimal(exactGross))) return { verdict: 'not_evaluable', reason: 'totals_understated' }
      if (budget_gross === undefined || gross === undefined) return { verdict: 'not_evaluable' }
      return verdict(decimal(gross).lte(edge(budget_gross, decimal(100).plus(decimal(band.tolerance_pct)))))
    }
  }
}

/** Looks up own members only, since a unit may be named like a member that every object inherits. */
function statedFor(unit: string, { projected_delivery = {} }: PlanTotals): number | undefined {
  return Object.hasOwn(projected_delivery, unit) ? projected_delivery[unit] : undefined
}

/** Returns a percentage of a target; exact, since decimals divide by 100 without rounding. */
function edge(target: number, pct: Decimal): Decimal {
  return decimal(target).times(pct).div(decimal(100))
}

function verdict(inside: boolean): BandResult {
  return { verdict: inside ? 'satisfied' : 'not_satisfied' }
}
