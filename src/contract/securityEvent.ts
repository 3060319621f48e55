import { z } from 'zod'
import { listQuery } from './listQuery.ts'
import { IsoDateTime, NextCursor, Stamp } from './scalars.ts'
import { SECURITY_ACTIONS, SECURITY_VIAS, type SecurityAction } from './vocabulary/access.ts'

const Members = z.record(z.string(), z.unknown()).nullable()

/** An entry of a tenant's audit log. */
export const SecurityEvent = z
  .object({
    event_id: z.string(),
    occurred_at: Stamp,
    action: z.enum(SECURITY_ACTIONS).meta({ description: 'The action that was taken. Actions may be added.' }),
    via: z.enum(SECURITY_VIAS).meta({ description: 'The way in which it was done. command_line and platform are acts of the operator.' }),
    credential_id: z.string().nullable().meta({ description: 'The id of the credential that acted or was refused.' }),
    last_four: z.string().nullable().meta({ description: "The last four characters of that credential's token." }),
    subject: z
      .string()
      .nullable()
      .meta({ description: 'The subject (sub) of the token, if it was one of an OpenID Connect issuer; credential_id is its id here.' }),
    source_ip: z.string().nullable().meta({ description: 'The IP address that the request came from.' }),
    person: z.string().nullable().meta({ description: 'The name of the person who acted in a session of a browser; null otherwise.' }),
    target: z.string().nullable().meta({ description: 'The id or name of what was changed.' }),
    before: Members.meta({ description: 'The changed members before the change. Long values and secrets are left out.' }),
    after: Members.meta({ description: 'The changed members after the change. Long values and secrets are left out.' }),
    times: z
      .int()
      .min(1)
      .meta({ description: 'The number of times it happened: refused sign-ins from one source within a minute are one entry.' }),
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
    .meta({ description: 'Actions, separated by commas; all actions if omitted.' }),
  from: IsoDateTime.optional().meta({ description: 'Returns only entries from this UTC time on, inclusive.' }),
  to: IsoDateTime.optional().meta({ description: 'Returns only entries before this UTC time.' }),
  ...listQuery({ usual: 50, max: 200 }),
})
export type SecurityEventQuery = z.infer<typeof SecurityEventQuery>
