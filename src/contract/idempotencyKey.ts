import { z } from 'zod'

/** The caller's own key of a POST, so that a retry is not carried out twice. */
export const IdempotencyHeaders = z.object({
  'Idempotency-Key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 printable ASCII characters without spaces')
    .optional()
    .meta({ description: "The caller's own key of the request. The same key with the same bytes replays the stored reply." }),
})
