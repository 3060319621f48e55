import { z } from 'zod'
import { DateRange, Decimal, EVEN_SO, listOf, Money, Name } from './scalars.ts'

const SOURCES = ['definition', 'audience_id', 'upload_id'] as const

const Audience = z.object({
  definition: z.looseObject({}).optional().meta({ description: 'The audience, defined inline by demo and segments.' }),
  audience_id: Name.optional(),
  upload_id: Name.optional(),
  currency_goal: z.object({ unit: Name, target: Decimal.positive().max(1e15) }).optional(),
})

/** The platform evaluates the band when a plan is posted (contract, Acceptance band). tolerance_pct 2 means 2 percent. */
export const AcceptanceBand = z
  .object({
    metric: z.enum(['delivery', 'budget']),
    tolerance_pct: Decimal.min(0).max(100),
    action: z.enum(['auto_accept', 'flag']),
  })
  .meta({ id: 'AcceptanceBand' })

/** The request member of a proposal order (contract, Proposal request). Unknown members are kept verbatim. */
export const ProposalRequest = z
  .looseObject({
    request_type: z.enum(['audience_plan', 'specs', 'open']),
    audience: Audience.optional(),
    anchor_package_ids: listOf(Name).optional(),
    budget_gross: Money.optional(),
    flight: DateRange.optional(),
    constraints: z.looseObject({}).optional(),
    acceptance_band: AcceptanceBand.optional(),
    brief: z.string().min(1).optional(),
  })
  .superRefine((request, ctx) => {
    const { request_type, audience, acceptance_band, brief } = request
    const named = SOURCES.filter((source) => audience?.[source] !== undefined)
    const many = named.length > 1
    if (many || (request_type === 'audience_plan' && named.length === 0)) {
      const message = many ? `must not be sent together with ${named[0]}` : 'must have exactly one of definition, audience_id and upload_id'
      ctx.addIssue({ code: 'custom', path: ['audience', ...named.slice(1, 2)], message })
    }
    if (acceptance_band?.metric === 'delivery' && audience?.currency_goal === undefined) {
      ctx.addIssue({ code: 'custom', path: ['acceptance_band', 'metric'], message: 'must not be delivery without audience.currency_goal' })
    }
    if (request_type === 'open' && brief === undefined) {
      ctx.addIssue({ code: 'custom', path: ['brief'], message: 'is required in an open request' })
    }
  }, EVEN_SO)
  .meta({ id: 'ProposalRequest' })
export type ProposalRequest = z.infer<typeof ProposalRequest>
