import { z } from 'zod'
import { LineResult } from './lineItem.ts'
import { Decimal, IsoDateTime, Money, mapOf } from './scalars.ts'

/**
 * Totals that the seller states, kept verbatim; the acceptance band is evaluated against them (contract, Acceptance band; choices, Proposals and plans).
 */
export const PlanTotals = z
  .looseObject({ gross: Money.optional(), projected_delivery: mapOf(Decimal.nonnegative().max(1e15)).optional() })
  .meta({ id: 'PlanTotals' })
export type PlanTotals = z.infer<typeof PlanTotals>

/** A seller's plan for a proposal order, on the event and on the snapshot (contract, Plan proposal). */
export const PlanProposal = z
  .object({
    name: z.literal('plan_proposal'),
    seq: z.int().positive(),
    plan_id: z.string(),
    actor: z.string().optional(),
    line_items: z.array(LineResult),
    plan_totals: PlanTotals,
    computed_gross: z
      .number()
      .optional()
      .meta({ description: 'The sum of the lines in major units of the currency, computed by the platform.' }),
    unmet: z.array(z.unknown()).meta({ description: "The shortfalls of the plan, in the seller's words." }),
    expires_at: IsoDateTime,
    sha256: z.string().meta({ description: 'The SHA-256 of the plan as it was sent, in hexadecimal.' }),
  })
  .meta({ id: 'PlanProposal' })
export type PlanProposal = z.infer<typeof PlanProposal>
