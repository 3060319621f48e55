import { z } from 'zod'
import { Stamp } from './scalars.ts'
import { CREDENTIAL_SIDES, SCOPES, type Scope } from './vocabulary/access.ts'

/** GET /credential: who the caller is, and what it may do. */
export const CredentialRead = z
  .object({
    credential_id: z.string().meta({ description: 'The id of the credential, never its token.' }),
    entity: z.string().meta({ description: 'The tenant that it acts for; of an operator, the team.' }),
    side: z.enum(CREDENTIAL_SIDES).meta({ description: 'The side that it acts on.' }),
    scopes: z
      .array(z.enum(Object.keys(SCOPES) as [Scope, ...Scope[]]))
      .meta({ description: 'Its scopes, those included that others imply.' }),
    expires_at: Stamp.nullable().meta({ description: 'The UTC time at which it expires; null if it does not.' }),
    person: z.string().nullable().meta({ description: 'The person who is signed in with it; null if it is a program.' }),
    mode: z.enum(['sandbox', 'production']).meta({ description: 'Whether the marketplace is a sandbox.' }),
    server_time: Stamp.meta({ description: 'The UTC time of the service, to compare clocks with.' }),
  })
  .meta({ id: 'CredentialRead' })
export type CredentialRead = z.infer<typeof CredentialRead>
