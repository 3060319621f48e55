import { z } from 'zod'
import { Name, NextCursor, Period, Stamp } from './scalars.ts'
import { UnknownMembers } from './unknownMembers.ts'

/**
 * POST /sellers/{seller}/avails/requests: requests avails that are not published to the buyer (contract, Disclosure; choices, Avails request).
 */
export const AvailsRequest = z
  .object({ product_id: Name, period: Period, note: z.string().max(2_000).optional(), agreement: Name.optional() })
  .meta({ id: 'AvailsRequest' })
export type AvailsRequest = z.infer<typeof AvailsRequest>

export const AvailsRequestReply = z.object({ request_id: z.string(), warnings: UnknownMembers }).meta({ id: 'AvailsRequestReply' })
export type AvailsRequestReply = z.infer<typeof AvailsRequestReply>

/** GET /me/avails/requests: open requests of buyers, oldest first. */
export const AvailsRequestList = z
  .object({
    items: z.array(AvailsRequest.extend({ request_id: z.string(), buyer_entity: z.string(), requested_at: Stamp })),
    next_cursor: NextCursor,
  })
  .meta({ id: 'AvailsRequestList' })
export type AvailsRequestList = z.infer<typeof AvailsRequestList>
