import { z } from 'zod'
import { EVEN_SO, Money, Name, Stamp } from './scalars.ts'
import { GRAINS, MARKET_CLASSES, RULE_VERDICTS } from './vocabulary.ts'

/** Refuses an empty list: no line could match it, so it is a mistake. */
const OneOf = <T extends z.ZodType>(item: T) => z.array(item).min(1).max(1_000).optional()

/** The endpoint refuses unknown conditions, since a rule without them would match more orders. */
const RuleConditions = z
  .object({
    max_gross: Money.optional().meta({
      description: "Matches orders with at most this totals.gross, in major units of the order's currency.",
    }),
    min_lead_days: z
      .int()
      .nonnegative()
      .max(3_660)
      .optional()
      .meta({ description: 'Matches orders whose first air date is at least this many days from today (UTC).' }),
    advertisers: OneOf(Name).meta({ description: 'Matches orders whose buyer_metadata.advertiser_id is one of these.' }),
    products: OneOf(Name.meta({ id: 'RuleProductId' })).meta({
      description: 'Matches orders whose every line is of one of these products.',
    }),
    buyers: OneOf(Name).meta({ description: 'Matches orders whose buyer_entity is one of these.' }),
    market_classes: OneOf(z.enum(MARKET_CLASSES)).meta({
      description: 'Matches orders whose every line is of one of these market classes.',
    }),
    grains: OneOf(z.enum(GRAINS)).meta({ description: 'Matches orders whose every line is of one of these period lengths.' }),
  })
  .meta({ id: 'RuleConditions' })

/** Decides an order, or holds it for a person, if all conditions match; no conditions match every order (choices, Approval rules). */
export const ApprovalRule = z.object({ id: Name, when: RuleConditions, then: z.enum(RULE_VERDICTS) }).meta({ id: 'ApprovalRule' })
export type ApprovalRule = z.infer<typeof ApprovalRule>

/** PUT /me/approval-rules: replaces all rules. The first rule that matches decides. */
export const PutApprovalRules = z
  .object({ rules: z.array(ApprovalRule).max(200) })
  .superRefine(({ rules }, ctx) => {
    const seen = new Set<string>()
    for (const [index, rule] of (Array.isArray(rules) ? rules : []).entries()) {
      if (seen.has(rule?.id)) ctx.addIssue({ code: 'custom', path: ['rules', index, 'id'], message: 'must be unique' })
      seen.add(rule?.id)
    }
  }, EVEN_SO)
  .meta({ id: 'PutApprovalRules' })
export type PutApprovalRules = z.infer<typeof PutApprovalRules>

/** The activity of a rule over the last 30 days (UTC). */
export const RuleActivity = z
  .object({ approved: z.int().min(0), rejected: z.int().min(0), held: z.int().min(0), last_used_at: Stamp.nullable() })
  .meta({ id: 'RuleActivity' })
export type RuleActivity = z.infer<typeof RuleActivity>

const UsedRule = ApprovalRule.extend({ last_30_days: RuleActivity }).meta({ id: 'UsedApprovalRule' })

/** The current rules. `in_force` is true if the profile's `approval` is `rules`; otherwise the rules are ignored. */
export const ApprovalRules = z.object({ rules: z.array(UsedRule), in_force: z.boolean() }).meta({ id: 'ApprovalRules' })
export type ApprovalRules = z.infer<typeof ApprovalRules>
