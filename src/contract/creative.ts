import { z } from 'zod'
import { Name, NextCursor, SpotLength, Stamp } from './scalars.ts'
import { UnknownMembers } from './unknownMembers.ts'

/** POST /creatives: an entry of the buyer's own registry (choices, Creatives). */
export const CreateCreative = z
  .object({ creative_code: Name, name: z.string().min(1).max(500), length_seconds: SpotLength })
  .meta({ id: 'CreateCreative' })
export type CreateCreative = z.infer<typeof CreateCreative>

export const Creative = z
  .object({
    creative_id: z.string(),
    ...CreateCreative.shape,
    status: z.enum(['active', 'archived']),
    created_at: Stamp,
    warnings: UnknownMembers,
  })
  .meta({ id: 'Creative' })
export type Creative = z.infer<typeof Creative>

export const CreativeList = z.object({ items: z.array(Creative), next_cursor: NextCursor }).meta({ id: 'CreativeList' })
