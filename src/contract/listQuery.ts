import { z } from 'zod'

/** Query parameters for paging: `limit` (a number as text) and the opaque `cursor` from the page before (choices, Lists). */
export function listQuery({ usual, max }: { usual: number; max: number }) {
  return {
    limit: z
      .string()
      .regex(/^\d{1,9}$/, `must be a whole number from 1 to ${max}`)
      .transform(Number)
      .refine((limit) => limit >= 1 && limit <= max, `must be a whole number from 1 to ${max}`)
      .default(usual)
      .meta({ override: { type: 'integer', minimum: 1, maximum: max, default: usual } }),
    cursor: z.string().max(2_000).optional(),
  }
}
