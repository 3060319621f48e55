import { z } from 'zod'
import { listQuery } from './listQuery.ts'
import { IsoDateTime, NextCursor, Stamp } from './scalars.ts'

/** A request of the tenant that was refused or that failed. */
export const RefusedRequest = z
  .object({
    at: Stamp.meta({ description: 'The UTC time of the reply.' }),
    request_id: z.string().meta({ description: 'The X-Request-Id of the reply.' }),
    operation: z.string().meta({ description: 'The operationId, such as createOrder.' }),
    method: z.string().meta({ description: 'The HTTP method.' }),
    path: z.string().meta({ description: 'The path, without its query.' }),
    status: z.int().meta({ description: 'The status of the reply.' }),
    error_code: z.string().meta({ description: 'The error_code of the reply.' }),
    pointers: z.array(z.string()).meta({ description: 'The JSON pointers of the first faults, at most 20. What was sent is not kept.' }),
    credential_id: z.string().meta({ description: 'The id of the credential that sent it.' }),
  })
  .meta({ id: 'RefusedRequest' })
export type RefusedRequest = z.infer<typeof RefusedRequest>

export const RefusedRequestList = z.object({ items: z.array(RefusedRequest), next_cursor: NextCursor }).meta({ id: 'RefusedRequestList' })

/** GET /requests: newest first. */
export const RefusedRequestQuery = z.strictObject({
  since: IsoDateTime.optional().meta({ description: 'Returns only requests answered at this UTC time or later.' }),
  status: z
    .string()
    .regex(/^[45]\d\d$/, 'must be a status from 400 to 599')
    .transform(Number)
    .optional()
    .meta({ description: 'Returns only requests answered with this status.', override: { type: 'integer', minimum: 400, maximum: 599 } }),
  request_id: z.string().max(128).optional().meta({ description: 'Returns only the request with this X-Request-Id.' }),
  ...listQuery({ usual: 50, max: 200 }),
})
export type RefusedRequestQuery = z.output<typeof RefusedRequestQuery>
