import { z } from 'zod'
import { listQuery } from './listQuery.ts'
import { Name, NextCursor, Stamp } from './scalars.ts'

/** A mail in the sandbox's mailbox (additive; choices, Mail: sandbox). */
export const SandboxMail = z
  .object({
    mail_id: z.string(),
    message_id: z.string(),
    order_id: z.string(),
    to: z.string().nullable(),
    subject: z.string().nullable(),
    received_at: Stamp,
  })
  .meta({ id: 'SandboxMail' })
export type SandboxMail = z.infer<typeof SandboxMail>

export const SandboxMailList = z.object({ items: z.array(SandboxMail), next_cursor: NextCursor }).meta({ id: 'SandboxMailList' })
export type SandboxMailList = z.infer<typeof SandboxMailList>

/** GET /sandbox/mail: newest first. */
export const SandboxMailQuery = z.strictObject({ ...listQuery({ usual: 20, max: 100 }), order_id: Name.optional() })
export type SandboxMailQuery = z.infer<typeof SandboxMailQuery>
