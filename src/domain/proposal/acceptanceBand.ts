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
 * Evaluates the acceptance band of a request against the totals that a plan states (spec, Acceptance band). Compares exact decimals, inclusive
 * of the bound; over-delivery and a gross under budget never fail. A plan that states less than `computedGross`, the total of its lines, is not
 * evaluable and goes to a person. Null if the request has no band.
 */
export function evaluateBand(request: ProposalRequest, totals: PlanTotals, computedGross: DecimalLike): BandResult | null {
  if (totals.gross !== undefined && decimal(totals.gross).lt(decimal(computedGross))) {
    return request.acceptance_band === undefined ? null : { verdict: 'not_evaluable', reason: 'totals_understated' }
  }
  const stated = bandVerdict(request, totals)
  return stated === null ? null : { verdict: stated }
}

function bandVerdict({ acceptance_band: band, audience, budget_gross }: ProposalRequest, totals: PlanTotals): BandVerdict | null {
  if (band === undefined) return null
  switch (band.metric) {
    case 'delivery': {
      const goal = audience?.currency_goal
      const planned = goal === undefined ? undefined : statedFor(goal.unit, totals)
      if (goal === undefined || planned === undefined) return 'not_evaluable'
      return verdict(decimal(planned).gte(edge(goal.target, decimal(100).minus(decimal(band.tolerance_pct)))))
    }
    case 'budget': {
      if (budget_gross === undefined || totals.gross === undefined) return 'not_evaluable'
      return verdict(decimal(totals.gross).lte(edge(budget_gross, decimal(100).plus(decimal(band.tolerance_pct)))))
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

function verdict(inside: boolean): BandVerdict {
  return inside ? 'satisfied' : 'not_satisfied'
}
