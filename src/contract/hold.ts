import { z } from 'zod'
import { listQuery } from './listQuery.ts'
import { Name, NextCursor, Period, PositiveCount, SpotLength, Stamp } from './scalars.ts'
import { UnknownMembers } from './unknownMembers.ts'
import { LINES_PER_ORDER } from './vocabulary/bounds.ts'
import { HOLD_STATUSES } from './vocabulary.ts'

/** A line of a hold, with the members of a create line. */
export const HoldLine = z
  .object({ product_id: Name, period: Period, units: PositiveCount, spot_length: SpotLength })
  .meta({ id: 'HoldLine' })
export type HoldLine = z.infer<typeof HoldLine>

/** POST /holds (additive; choices, Holds): reserves inventory for a limited time. Order lines then cite its `hold_id`. */
export const CreateHold = z
  .object({ seller: Name, lines: z.array(HoldLine).min(1).max(LINES_PER_ORDER), ttl_minutes: z.int().min(1).max(1440) })
  .meta({ id: 'CreateHold' })
export type CreateHold = z.infer<typeof CreateHold>

/** GET /holds. */
export const HoldsQuery = z.strictObject({ status: z.enum(HOLD_STATUSES).optional(), ...listQuery({ usual: 100, max: 500 }) })
export type HoldsQuery = z.infer<typeof HoldsQuery>

export const Hold = z
  .object({
    hold_id: z.string(),
    seller: z.string(),
    status: z.enum(HOLD_STATUSES),
    lines: z.array(HoldLine),
    created_at: Stamp,
    expires_at: Stamp,
    order_id: z.string().nullable().meta({ description: 'The id of the order that used the hold; null until one has.' }),
    warnings: UnknownMembers,
  })
  .meta({ id: 'Hold' })
export type Hold = z.infer<typeof Hold>

/** A hold as the seller reads it. */
export const ReceivedHold = Hold.omit({ warnings: true }).extend({ buyer_entity: z.string() }).meta({ id: 'ReceivedHold' })
export type ReceivedHold = z.infer<typeof ReceivedHold>

export const ReceivedHoldList = z.object({ items: z.array(ReceivedHold), next_cursor: NextCursor }).meta({ id: 'ReceivedHoldList' })

export const HoldList = z.object({ items: z.array(Hold), next_cursor: NextCursor }).meta({ id: 'HoldList' })
