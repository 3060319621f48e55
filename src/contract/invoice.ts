import { z } from 'zod'
import { IsoDate } from './scalars.ts'
import { INVOICE_LINE_KINDS } from './vocabulary/settlement.ts'

/** A line of an order in one broadcast month, a late fee, or a credit. Credits are negative. */
export const InvoiceLine = z
  .object({
    kind: z.enum(INVOICE_LINE_KINDS),
    unit_id: z.string().optional(),
    product_id: z.string().optional(),
    network: z.string().optional(),
    spot_length: z.int().positive().optional(),
    units: z.int().nonnegative().optional(),
    dates: z.array(z.object({ date: IsoDate, units: z.int().nonnegative() })).optional(),
    unit_cost: z.number().optional(),
    cpm: z.number().optional(),
    impressions_per_unit: z.number().optional(),
    fee_pct: z.number().optional(),
    gross: z.number(),
  })
  .meta({ id: 'InvoiceLine' })
export type InvoiceLine = z.infer<typeof InvoiceLine>
