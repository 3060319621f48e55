import type { Request } from 'express'
import { Refusal } from '../src/domain/refusal.ts'
import { type Credential, findCredential } from '../src/store/credentials.ts'
import type { Database } from '../src/store/database.ts'
import { isTokenForm } from '../src/store/token.ts'
import type { Endpoint } from './endpoint.ts'

/** A revoked token is refused within this time (choices, Identity: 5 s). */
const REMEMBERED_MS = 4_000
const REMEMBERED = 10_000

export type Authenticate = (req: Request) => Promise<Credential>

/** Makes the bearer of a request a credential, or refuses with 401. Found ones are remembered for four seconds; junk costs no read. */
export function authenticator(db: Database, now: () => number = Date.now): Authenticate {
  const known = new Map<string, { credential: Credential; until: number }>()
  return async (req) => {
    const token = bearerOf(req)
    const hit = known.get(token)
    if (hit !== undefined && hit.until > now()) return living(hit.credential, now())
    const asked = now()
    const credential = await findCredential(db, token)
    known.delete(token)
    if (credential === undefined) throw unauthenticated('The token is not valid: it is unknown or was revoked.')
    if (known.size >= REMEMBERED) known.delete(known.keys().next().value as string)
    known.set(token, { credential, until: asked + REMEMBERED_MS })
    return living(credential, now())
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

function living(credential: Credential, at: number): Credential {
  if (credential.expires_at !== null && credential.expires_at <= at) throw unauthenticated('The token has expired.')
  return credential
}

function unauthenticated(message: string): Refusal {
  return new Refusal('UNAUTHENTICATED', message)
}
