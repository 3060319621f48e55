import { z } from 'zod'
import type { ClaimNames } from '../domain/identity/claimedCaller.ts'
import { isThisMachine, mustBe } from './forms.ts'
import { VARIABLE_GUIDE } from './guide.ts'

/** The issuer whose tokens are accepted in addition to those of the service, and how people sign in to the console with it. */
export interface SignOnSettings {
  /** Exactly as tokens name it: some issuers end with a slash. */
  readonly issuer: string
  readonly audience: string
  readonly claims: ClaimNames
  /** Whether a token that names an unknown tenant creates it. */
  readonly createsTenants: boolean
  /** If undefined, nobody signs in to the console with the issuer. */
  readonly client: SignOnClient | undefined
}

/** The console as it is registered with the issuer. */
export interface SignOnClient {
  readonly id: string
  /** If undefined, the client is public: only PKCE protects it. */
  readonly secret: string | undefined
  readonly scopes: string
  /** The URL to which the issuer sends people back. */
  readonly publicUrl: URL
}

const ISSUER_FORM =
  'the https URL of an OpenID Connect issuer, such as https://login.example.com/realms/market; http is for this machine alone'
const NEEDS_ISSUER = 'Startup also fails without `OIDC_ISSUER`.'

export const SIGN_ON = z.object({
  OIDC_ISSUER: z
    .string()
    .trim()
    .refine(isIssuerUrl, { error: `OIDC_ISSUER must be ${ISSUER_FORM}.` })
    .optional()
    .register(VARIABLE_GUIDE, {
      about:
        'Accepts tokens of this issuer beside those of the service, see [Sign-on](sign-on.md). The `iss` of tokens must be the same text.',
      unset: 'tokens of the service alone',
      readBy: ['API'],
      fault: 'Startup also fails without `OIDC_AUDIENCE`. While the issuer has not answered yet, its tokens are 503.',
    }),
  OIDC_AUDIENCE: word('OIDC_AUDIENCE', 'the name of this API at the issuer, such as https://orders.example.com').register(VARIABLE_GUIDE, {
    about: 'What the `aud` of tokens must name.',
    unset: 'none',
    readBy: ['API'],
    fault: NEEDS_ISSUER,
  }),
  OIDC_TENANT_CLAIM: claim('OIDC_TENANT_CLAIM', 'tenant').register(VARIABLE_GUIDE, {
    about: 'The claim that names the tenant for which a token acts.',
    readBy: ['API'],
  }),
  OIDC_SIDE_CLAIM: claim('OIDC_SIDE_CLAIM', 'side').register(VARIABLE_GUIDE, {
    about: 'The claim that says whether the tenant is a `buyer` or a `seller`.',
    readBy: ['API'],
  }),
  OIDC_SCOPE_CLAIM: claim('OIDC_SCOPE_CLAIM', 'scope').register(VARIABLE_GUIDE, {
    about: 'The claim that has the scopes: a text with spaces between them, or a list.',
    readBy: ['API'],
  }),
  OIDC_CREATE_TENANTS: z
    .enum(['true', 'false', '1', '0'], { error: mustBe('OIDC_CREATE_TENANTS', 'true or false') })
    .transform((text) => text === 'true' || text === '1')
    .optional()
    .register(VARIABLE_GUIDE, {
      about: 'Whether a token that names an unknown tenant creates it. Otherwise it is 403.',
      unset: '`false`',
      readBy: ['API'],
      fault: NEEDS_ISSUER,
    }),
  OIDC_CLIENT_ID: word('OIDC_CLIENT_ID', 'the id of the console at the issuer').register(VARIABLE_GUIDE, {
    about:
      'Lets people sign in to the console with the issuer. The redirect URI to register there is `PUBLIC_URL` and `/session/callback`.',
    unset: 'nobody signs in to the console with the issuer',
    readBy: ['API'],
    fault: 'Startup also fails without `OIDC_ISSUER` and `PUBLIC_URL`.',
  }),
  OIDC_CLIENT_SECRET: word('OIDC_CLIENT_SECRET', undefined).register(VARIABLE_GUIDE, {
    about: 'The secret of that client.',
    unset: 'none: a public client',
    readBy: ['API'],
    fault: 'Startup also fails without `OIDC_CLIENT_ID`.',
  }),
  OIDC_SCOPES: z
    .string()
    .trim()
    .refine((text) => text.split(/ +/).includes('openid'), {
      error: mustBe('OIDC_SCOPES', 'scopes with spaces between them, openid among them'),
    })
    .default('openid profile')
    .register(VARIABLE_GUIDE, {
      about: 'The scopes that the console asks for at the sign-in: what the issuer needs to put the claims into the ID token.',
      readBy: ['API'],
    }),
})

type Environment = z.infer<typeof SIGN_ON> & { readonly PUBLIC_URL?: URL | undefined }

/** Returns the issuer whose tokens are accepted; undefined without OIDC_ISSUER, and if `refuseHalfSetSignOn` finds a fault. */
export function signOnSettings(env: Environment): SignOnSettings | undefined {
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience, OIDC_CLIENT_ID: id, OIDC_SCOPES: scopes, PUBLIC_URL: publicUrl } = env
  if (issuer === undefined || audience === undefined) return undefined
  return {
    issuer,
    audience,
    claims: { tenant: env.OIDC_TENANT_CLAIM, side: env.OIDC_SIDE_CLAIM, scope: env.OIDC_SCOPE_CLAIM },
    createsTenants: env.OIDC_CREATE_TENANTS ?? false,
    client: id === undefined || publicUrl === undefined ? undefined : { id, secret: env.OIDC_CLIENT_SECRET, scopes, publicUrl },
  }
}

export function refuseHalfSetSignOn(env: Environment, context: z.RefinementCtx): void {
  const refuse = (message: string) => context.addIssue({ code: 'custom', message })
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client } = env
  if (issuer !== undefined && env.OIDC_AUDIENCE === undefined)
    refuse('OIDC_AUDIENCE must be set when OIDC_ISSUER is: it is what the aud of tokens must name.')
  const orphan = (['OIDC_AUDIENCE', 'OIDC_CREATE_TENANTS', 'OIDC_CLIENT_ID'] as const).find((name) => env[name])
  if (issuer === undefined && orphan !== undefined)
    refuse(`OIDC_ISSUER must be set when ${orphan} is: it is the issuer whose tokens are accepted.`)
  if (client === undefined && env.OIDC_CLIENT_SECRET !== undefined)
    refuse('OIDC_CLIENT_ID must be set when OIDC_CLIENT_SECRET is: it is the client whose secret that is.')
  if (client !== undefined && env.PUBLIC_URL === undefined)
    refuse('PUBLIC_URL must be set when OIDC_CLIENT_ID is: it is where the issuer sends people back to.')
}

/** Parses one word. A secret has no `form`, so that its fault does not repeat it. */
function word(name: string, form: string | undefined) {
  const error = form === undefined ? `${name} must be one word of printable characters.` : mustBe(name, form)
  return z
    .string()
    .trim()
    .regex(/^[!-~]{1,500}$/, { error })
    .optional()
}

function claim(name: string, standard: string) {
  return z
    .string()
    .trim()
    .regex(/^[!-~]{1,200}$/, { error: mustBe(name, 'the name of a claim, without spaces') })
    .default(standard)
}

function isIssuerUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, search, hash, username, password } = new URL(text)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isThisMachine(hostname.replace(/^\[|\]$/g, '')))
  return isSafe && `${search}${hash}${username}${password}` === ''
}
