import { z } from 'zod'
import { Name, Period, PositiveCount, SpotLength, Stamp } from './scalars.ts'
import { UnknownMembers } from './unknownMembers.ts'
import { HOLD_STATUSES, LINES_PER_ORDER } from './vocabulary.ts'

/** What is held of a product: as a create line names it. */
export const HoldLine = z
  .object({ product_id: Name, period: Period, units: PositiveCount, spot_length: SpotLength })
  .meta({ id: 'HoldLine' })
export type HoldLine = z.infer<typeof HoldLine>

/** POST /holds (additive; choices, Holds): a buyer keeps inventory for a while, to order it with `hold_id` on its lines. */
export const CreateHold = z
  .object({ seller: Name, lines: z.array(HoldLine).min(1).max(LINES_PER_ORDER), ttl_minutes: z.int().min(1).max(1440) })
  .meta({ id: 'CreateHold' })
export type CreateHold = z.infer<typeof CreateHold>

export const Hold = z
  .object({
    hold_id: z.string(),
    seller: z.string(),
    status: z.enum(HOLD_STATUSES),
    lines: z.array(HoldLine),
    created_at: Stamp,
    expires_at: Stamp,
    order_id: z.string().nullable().meta({ description: 'The order whose lines cite it, once it is used.' }),
    warnings: UnknownMembers,
  })
  .meta({ id: 'Hold' })
export type Hold = z.infer<typeof Hold>
