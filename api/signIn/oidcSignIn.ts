import {
  IssuerAway,
  type OidcIssuer,
  openOidcIssuer,
  SKEW_SECONDS,
  type TokenClaims,
  TokenFault,
} from '../../src/adapters/http/oidcIssuer.ts'
import { oidcSignOn, type SignOn } from '../../src/adapters/http/oidcSignOn.ts'
import type { SignOnSettings } from '../../src/config/index.ts'
import type { Scope } from '../../src/contract/vocabulary/access.ts'
import { claimedCaller } from '../../src/domain/identity/claimedCaller.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import type { Database } from '../../src/store/connection/database.ts'
import { livesOf } from '../../src/store/delivery/eventAuthority.ts'
import type { Credential } from '../../src/store/tenants/findCredential.ts'
import { type Admissions, admitSubject } from '../../src/store/tenants/subjects.ts'
import { openAdmissions } from '../http/admissions.ts'
import { type SignInWay, unauthenticated } from './auth.ts'

/** The issuer whose tokens are accepted, and the console's sign-in with it, if configured. */
export interface OidcDeps {
  readonly issuer: OidcIssuer
  readonly settings: SignOnSettings
  readonly signOn: SignOn | undefined
  readonly admissions: Admissions
}

export function openOidc(settings: SignOnSettings, failed: (reason: string) => void, now: () => number = Date.now): OidcDeps {
  const issuer = openOidcIssuer(settings.issuer, failed, now)
  return { issuer, settings, signOn: settings.client && oidcSignOn(issuer, settings.client), admissions: openAdmissions() }
}

/** Sign-in with a bearer token of the issuer. It accepts every bearer of the form of a JWT, which no token of the service has. */
export function oidcSignIn(db: Database, oidc: OidcDeps): SignInWay {
  return {
    presented: ({ headers }) => /^Bearer +([\w-]+\.[\w-]+\.[\w-]*) *$/i.exec(headers.authorization ?? '')?.[1],
    async find(token) {
      const claims = await oidc.issuer.verify(token, oidc.settings.audience).catch(refuseToken)
      const { scopes, ...subject } = await subjectOf(db, oidc, claims, 'api')
      return { ...subject, ...livesOf({ scopes, expires_at: null }), until: endOf(claims) }
    },
    refusals: { revoked: 'The token is not valid: its subject was revoked.', expired: 'The token has expired.' },
  }
}

/** The caller that a valid token of the issuer names, revoked or not. */
export type ClaimedCredential = Pick<Credential, 'credential_id' | 'entity' | 'side' | 'gate' | 'revoked'> & {
  readonly scopes: readonly Scope[]
}

export async function subjectOf(
  db: Database,
  { issuer: { issuer }, settings, admissions }: OidcDeps,
  claims: TokenClaims,
  via: 'api' | 'console',
): Promise<ClaimedCredential> {
  const { entity, side, scopes } = claimedCaller(claims, settings.claims)
  if (claims.sub.length > LONGEST_SUBJECT || !/^[ -~]+$/.test(claims.sub)) {
    throw new Refusal('FORBIDDEN', `The claim sub of the token must be 1 to ${LONGEST_SUBJECT} printable ASCII characters.`, {
      claim: 'sub',
    })
  }
  const { createsTenants } = settings
  const claimed = { issuer, subject: claims.sub, entity, side }
  const { subject_id, revoked } = await admitSubject(db, claimed, { via, createsTenants, admissions })
  return { credential_id: subject_id, entity, side, gate: via, revoked, scopes }
}

/** The limit of OpenID Connect Core, section 2. */
const LONGEST_SUBJECT = 255

/** Returns when a token ends, in epoch milliseconds, with an allowance for the difference between its clock and ours. */
export function endOf({ exp }: TokenClaims): number {
  return (exp + SKEW_SECONDS) * 1_000
}

/** Refuses a sender whose token is invalid, or cannot be checked now. */
export function refuseToken(error: unknown): never {
  if (error instanceof TokenFault) throw unauthenticated(error.message)
  if (error instanceof IssuerAway)
    throw new Refusal('UNAVAILABLE', 'The service cannot reach the issuer of the token right now; try again.')
  throw error
}
