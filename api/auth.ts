import type { Request } from 'express'
import type { Endpoint } from '../src/contract/endpoints/endpoint.ts'
import { Refusal } from '../src/domain/refusal.ts'
import type { Database } from '../src/store/connection/database.ts'
import { type Credential, findCredential } from '../src/store/tenants/credentials.ts'
import { isTokenForm } from '../src/store/tenants/token.ts'
import type { RefusedSignIns } from './refusedSignIns.ts'

/** A revoked token is refused within this time (choices, Identity: 5 s). */
const REMEMBERED_MS = 4_000
const REMEMBERED = 10_000

/** A credential, and the address that its request came from. */
export type Authenticated = Credential & { source_ip: string | null }
export type Authenticate = (req: Request) => Promise<Authenticated>

/** Makes the bearer of a request a credential, or refuses with 401. Found ones are remembered for four seconds; junk costs no read. */
export function authenticator(db: Pick<Database, 'pool'>, refused: RefusedSignIns, now: () => number = Date.now): Authenticate {
  const known = new Map<string, { credential: Credential; until: number }>()
  const admit = (credential: Credential, req: Request): Authenticated => {
    const signIn = { ...credential, source_ip: sourceOf(req) }
    const reason = refusalReason(credential, now())
    if (reason === undefined) return signIn
    refused.note(signIn, reason)
    throw unauthenticated(REFUSED[reason])
  }
  return async (req) => {
    const token = bearerOf(req)
    const hit = known.get(token)
    if (hit !== undefined && hit.until > now()) return admit(hit.credential, req)
    const asked = now()
    const credential = await findCredential(db, token)
    known.delete(token)
    if (credential === undefined) throw unauthenticated(REFUSED.revoked)
    if (credential.revoked) return admit(credential, req)
    if (known.size >= REMEMBERED) known.delete(known.keys().next().value as string)
    known.set(token, { credential, until: asked + REMEMBERED_MS })
    return admit(credential, req)
  }
}

/** Side first, then scope: a credential of the other side is never told what its scopes lack. */
export function authorize(credential: Credential, { side, scope }: Pick<Endpoint, 'side' | 'scope'>): void {
  if (side !== 'any' && credential.side !== side) {
    throw new Refusal('FORBIDDEN', `This is a ${side} endpoint and the credential is a ${credential.side}'s.`, { required_side: side })
  }
  if (!credential.scopes.has(scope)) throw new Refusal('FORBIDDEN', `The credential lacks the scope ${scope}.`, { required_scope: scope })
}

function bearerOf(req: Request): string {
  const [, token] = /^Bearer +(\S+) *$/i.exec(req.headers.authorization ?? '') ?? []
  if (token === undefined) throw unauthenticated('Send a credential as "Authorization: Bearer <token>".')
  if (!isTokenForm(token)) throw unauthenticated('The token is not valid: it is not of this service or was mistyped.')
  return token
}

function refusalReason({ revoked, expires_at }: Credential, at: number): keyof typeof REFUSED | undefined {
  if (revoked) return 'revoked'
  return expires_at !== null && expires_at <= at ? 'expired' : undefined
}

const REFUSED = { revoked: 'The token is not valid: it is unknown or was revoked.', expired: 'The token has expired.' }

/** The peer's address, or what a trusted proxy says it is; an IPv4 address as such. */
function sourceOf({ ip }: Request): string | null {
  return ip?.replace(/^::ffff:(?=\d+\.)/, '') ?? null
}

function unauthenticated(message: string): Refusal {
  return new Refusal('UNAUTHENTICATED', message)
}
