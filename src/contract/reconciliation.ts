import { z } from 'zod'
import { listQuery } from './listQuery.ts'
import { Actor, Amount, Currency, EVEN_SO, IsoDate, IsoMonth, NextCursor, Reason, Stamp } from './scalars.ts'
import { UnknownMembers } from './unknownMembers.ts'
import { SIDES } from './vocabulary/access.ts'
import { AIRING_CLOCKS } from './vocabulary/drops.ts'
import {
  LINE_COUNTS,
  type LineCount,
  RECONCILIATION_STATES,
  VARIANCE_ACTIONS,
  VARIANCE_CODES,
  VARIANCE_STATES,
} from './vocabulary/reconciliation.ts'

const Counted = z.int().nonnegative()
const counts = Object.fromEntries(LINE_COUNTS.map((name) => [name, Counted])) as Record<LineCount, typeof Counted>
const figures = {
  ...counts,
  ordered_gross: z.number(),
  billed_gross: z.number(),
  variance_gross: z.number(),
  made_good: z.int().positive().optional(),
  makegood_airings: z.int().positive().optional(),
}

/** The ordered, aired and billed spots, in counts and amounts. */
export const ReconciliationTotals = z.object(figures).meta({ id: 'ReconciliationTotals' })

/** A row of a seller's log or invoice, as the seller sent it. */
export const ReconciledRow = z
  .object({
    record_type: z.enum(['as_run', 'invoice']),
    network: z.string(),
    air_date: IsoDate,
    air_time: z.string().optional(),
    clock: z.enum(AIRING_CLOCKS),
    spot_length: z.int(),
    isci: z.string().optional(),
    unit_id: z.string().optional(),
    makegood_for_unit_id: z.string().optional(),
    makegood_for_date: IsoDate.optional(),
    makegood_for: z.array(z.string()).optional(),
    is_bonus: z.boolean().optional(),
    is_adu: z.boolean().optional(),
    is_credit: z.boolean().optional(),
    seller_line_id: z.string().optional(),
    ran: z.boolean(),
    reason: z.string().optional(),
    invoice_number: z.string().optional(),
    rate: z.number().optional(),
  })
  .meta({ id: 'ReconciledRow' })

/** An action of a party on a variance. */
export const VarianceStep = z
  .object({
    action: z.enum(VARIANCE_ACTIONS),
    side: z.enum(SIDES),
    actor: z.string(),
    note: z.string().optional(),
    amount: z.number().optional(),
    invoice_id: z.string().optional(),
    units: Counted,
    gross: z.number(),
    at: Stamp,
  })
  .meta({ id: 'VarianceStep' })

const variance = {
  variance_id: z.string(),
  code: z.enum(VARIANCE_CODES),
  state: z.enum(VARIANCE_STATES),
  units: Counted,
  gross: z.number(),
  reason: z.string().optional(),
  makegood_id: z.string().optional(),
  agreed: z.boolean().optional(),
  rows: z.array(ReconciledRow),
  actions: z.array(VarianceStep),
}
export const Variance = z.object(variance).meta({ id: 'Variance' })
export type Variance = z.infer<typeof Variance>

const place = { unit_id: z.string().nullable(), network: z.string(), air_date: IsoDate, broadcast_month: IsoMonth }

export const ReconciliationLine = z
  .object({
    ...place,
    ...figures,
    codes: z.array(z.enum(VARIANCE_CODES)),
    variances: z.array(Variance),
    variances_left_out: Counted.optional(),
  })
  .meta({ id: 'ReconciliationLine' })
export type ReconciliationLine = z.infer<typeof ReconciliationLine>

/** An invoice of the seller that bills spots of the order. */
export const CoveredInvoice = z
  .object({
    invoice_number: z.string(),
    invoice_date: IsoDate,
    broadcast_month: IsoMonth,
    spots: Counted,
    gross: z.number(),
    stated: z
      .object({
        spot_count: Counted.optional(),
        gross: z.number().optional(),
        commission: z.number().optional(),
        net: z.number().optional(),
      })
      .meta({ id: 'StatedInvoice' })
      .optional(),
  })
  .meta({ id: 'CoveredInvoice' })

/** The seller's logs and invoices that exist for an order. */
export const ReconciliationCoverage = z
  .object({
    days_booked: Counted,
    days_logged: Counted,
    invoiced_months: z.array(IsoMonth),
    invoices: z.array(CoveredInvoice),
    invoices_left_out: Counted.optional(),
  })
  .meta({ id: 'ReconciliationCoverage' })

/** The audience that a line guarantees, and what final posts report as delivered. */
export const AudienceGuarantee = z
  .object({
    unit_id: z.string(),
    audience_code: z.string(),
    stream: z.string().nullable(),
    guaranteed: z.number(),
    delivered: z.number().nullable(),
    shortfall: z.number().nullable(),
    reason: z.enum(['policy_unstated']).optional(),
  })
  .meta({ id: 'AudienceGuarantee' })

const head = {
  order_id: z.string(),
  revision: z.int().nonnegative(),
  state: z.enum(['not_reconciled', ...RECONCILIATION_STATES]),
  currency: Currency,
  reconciled_at: Stamp.nullable(),
}

/** GET /orders/{order_id}/reconciliation, and the seller's. */
export const Reconciliation = z
  .object({
    ...head,
    coverage: ReconciliationCoverage,
    totals: ReconciliationTotals,
    guarantees: z.array(AudienceGuarantee),
    lines: z.array(ReconciliationLine),
    next_cursor: NextCursor,
  })
  .meta({ id: 'Reconciliation' })
export type Reconciliation = z.infer<typeof Reconciliation>

export const ReconciliationQuery = z.strictObject({
  code: z.enum(VARIANCE_CODES).optional(),
  state: z.enum(VARIANCE_STATES).optional(),
  broadcast_month: IsoMonth.optional(),
  ...listQuery({ usual: 100, max: 500 }),
})
export type ReconciliationQuery = z.output<typeof ReconciliationQuery>

/** An order whose result has changed. */
export const ReconciledOrder = z
  .object({
    ...head,
    seller: z.string(),
    buyer_entity: z.string(),
    agreement_id: z.string().optional(),
    codes: z.array(z.enum(VARIANCE_CODES)),
    broadcast_months: z.array(IsoMonth),
    totals: ReconciliationTotals,
  })
  .meta({ id: 'ReconciledOrder' })
export type ReconciledOrder = z.infer<typeof ReconciledOrder>

/** GET /settlement/reconciliation, and the seller's. */
export const ReconciledOrders = z.object({ items: z.array(ReconciledOrder), next_cursor: z.string() }).meta({ id: 'ReconciledOrders' })

const { limit } = listQuery({ usual: 100, max: 500 })
export const ReconciledOrdersQuery = z.strictObject({
  after: z.string().max(2_000).optional().meta({ description: 'The next_cursor of the previous page; every reconciled order if omitted.' }),
  code: z.enum(VARIANCE_CODES).optional(),
  broadcast_month: IsoMonth.optional(),
  limit,
})
export type ReconciledOrdersQuery = z.output<typeof ReconciledOrdersQuery>

const said = { actor: Actor.optional(), note: Reason }

/** POST /orders/{order_id}/reconciliation/variances/{variance_id} */
export const AnswerVariance = z.object({ action: z.enum(['accept', 'dispute']), ...said }).meta({ id: 'AnswerVariance' })
export type AnswerVariance = z.infer<typeof AnswerVariance>

/** POST /me/orders/{order_id}/reconciliation/variances/{variance_id} */
export const SettleVariance = z
  .object({ action: z.enum(['credit', 'uphold']), amount: Amount.optional(), ...said })
  .superRefine(({ action, amount }, ctx) => {
    if (amount === undefined || action === 'credit') return
    ctx.addIssue({ code: 'custom', path: ['amount'], message: `must be left out unless action is credit; ${action} was sent` })
  }, EVEN_SO)
  .meta({ id: 'SettleVariance' })
export type SettleVariance = z.infer<typeof SettleVariance>

/** A variance after an action, with its order and line. */
export const ActedVariance = z
  .object({ order_id: z.string(), revision: z.int(), ...place, ...variance, warnings: UnknownMembers })
  .meta({ id: 'ActedVariance' })
export type ActedVariance = z.infer<typeof ActedVariance>
