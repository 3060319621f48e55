import { z } from 'zod'
import { Stamp } from './scalars.ts'
import { CREDENTIAL_SIDES, SCOPES, type Scope } from './vocabulary/access.ts'

/** Sessions of people in a browser, outside of /v1; only the console uses them. */

const name = z.string().min(1).max(200)

/** POST /session: signs in as a persona of the sandbox, or with a token. */
export const SignIn = z
  .strictObject({
    persona: name.optional().meta({ description: 'A persona of GET /session/personas; in the sandbox only.' }),
    token: name.optional().meta({ description: 'A token of the service; in production only if CONSOLE_TOKEN_SIGN_IN is true.' }),
  })
  .refine(({ persona, token }) => (persona === undefined) !== (token === undefined), 'must name either a persona or a token')
export type SignIn = z.infer<typeof SignIn>

/** GET /session and the reply to a sign-in. */
export const SessionReply = z.object({
  entity: z.string().meta({ description: 'The tenant for which the session acts.' }),
  side: z.enum(CREDENTIAL_SIDES).meta({ description: 'Whether the tenant is a buyer or a seller, or runs the marketplace.' }),
  scopes: z.array(z.enum(Object.keys(SCOPES) as [Scope, ...Scope[]])).meta({ description: 'The scopes of its credential.' }),
  name: z.string().meta({ description: 'The person, as decision records and the audit log name it.' }),
  mode: z.enum(['sandbox', 'production']),
  csrf: z.string().meta({ description: 'What writes by the cookie send as X-CSRF-Token.' }),
  expires_at: Stamp.meta({ description: 'When the session ends unless it is used before; 12 hours after the sign-in at the latest.' }),
  temporal_ui: z.string().optional().meta({
    description:
      "The address below which the Temporal UI shows a run by its id, such as order:{order_id}; operators' sessions alone, where it is known.",
  }),
})
export type SessionReply = z.infer<typeof SessionReply>

/** GET /session/ways: the available ways to sign in. */
export const SignInWays = z.object({
  personas: z.boolean().meta({ description: 'Whether GET /session/personas lists people of the sandbox.' }),
  token: z.boolean().meta({ description: 'Whether a token of the service opens a session.' }),
  issuer: z.string().nullable().meta({ description: 'The host of the issuer with which GET /session/oidc signs in; null without one.' }),
})
export type SignInWays = z.infer<typeof SignInWays>

/** GET /session/personas. */
export const PersonaList = z.object({
  personas: z.array(
    z.object({
      persona: z.string().meta({ description: 'The handle for POST /session.' }),
      name: z.string().meta({ description: 'The name of the person.' }),
      entity: z.string(),
      tenant_name: z.string(),
      side: z.enum(CREDENTIAL_SIDES),
    }),
  ),
})
export type PersonaList = z.infer<typeof PersonaList>
