import { z } from 'zod'
import { listQuery } from './listQuery.ts'
import { IsoDateTime, NextCursor, Stamp } from './scalars.ts'
import { SECURITY_ACTIONS, SECURITY_VIAS, type SecurityAction } from './vocabulary.ts'

const Members = z.record(z.string(), z.unknown()).nullable()

/** One entry of a tenant's audit log. */
export const SecurityEvent = z
  .object({
    event_id: z.string(),
    occurred_at: Stamp,
    action: z.enum(SECURITY_ACTIONS).meta({ description: 'What was done. Open: further actions may be added.' }),
    via: z.enum(SECURITY_VIAS).meta({ description: 'command_line and platform are acts of the operator.' }),
    credential_id: z.string().nullable().meta({ description: 'The credential that acted, or was refused.' }),
    last_four: z.string().nullable().meta({ description: "The end of that credential's token." }),
    source_ip: z.string().nullable().meta({ description: 'Where the request came from.' }),
    target: z.string().nullable().meta({ description: 'What it was done to: an id or a name.' }),
    before: Members.meta({ description: 'The members that changed, as they were; long values are left out. Never a secret.' }),
    after: Members.meta({ description: 'The members that changed, as they are.' }),
    times: z.int().min(1).meta({ description: 'Refused sign-ins of one source within a minute are one entry.' }),
  })
  .meta({ id: 'SecurityEvent' })
export type SecurityEvent = z.infer<typeof SecurityEvent>

export const SecurityEventList = z.object({ items: z.array(SecurityEvent), next_cursor: NextCursor }).meta({ id: 'SecurityEventList' })

/** GET /audit, GET /me/audit: newest first. */
export const SecurityEventQuery = z.strictObject({
  action: z
    .string()
    .transform((text, ctx): SecurityAction[] => {
      const asked = text.split(',') as SecurityAction[]
      const unknown = asked.find((action) => !SECURITY_ACTIONS.includes(action))
      if (unknown !== undefined) ctx.addIssue({ code: 'custom', message: `must list values of ${SECURITY_ACTIONS.join(', ')}` })
      return asked
    })
    .optional()
    .meta({ description: 'Comma-separated actions.' }),
  from: IsoDateTime.optional().meta({ description: 'Inclusive.' }),
  to: IsoDateTime.optional().meta({ description: 'Exclusive.' }),
  ...listQuery({ usual: 50, most: 200 }),
})
export type SecurityEventQuery = z.infer<typeof SecurityEventQuery>
