import { hash } from 'node:crypto'
import type { Request } from 'express'
import type { Endpoint } from '../../src/contract/endpoints/endpoint.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import type { Credential } from '../../src/store/tenants/findCredential.ts'
import type { RefusedSignIns } from '../../src/store/tenants/refusedSignIns.ts'

/** A revoked credential is refused within this time (choices, Identity: 5 s). */
const REMEMBERED_MS = 4_000
/** The number of credentials remembered per sign-in way. */
const REMEMBERED = 10_000

/** A credential and the address from which its request came. */
export type Authenticated = Credential & { source_ip: string | null }
export interface Authenticate {
  (req: Request): Promise<Authenticated>
  /** Forgets a remembered credential that has just been ended. */
  forget(presented: string): void
}

/** One way in which a request can say who sends it. */
export interface SignInWay {
  /** Returns the secret that a request presents in this way; undefined if it presents none of this kind. */
  presented(req: Request): string | undefined
  /** Returns the presented credential, valid or not; undefined if it is unknown. Text that cannot be a credential is refused without a read. */
  find(presented: string): Promise<Credential | undefined>
  /** Refuses a request that must not be made with the credential that it presents. */
  admit?(req: Request, presented: string): void
  /** The refusal of a credential that is not valid. An unknown one gets the same text as a revoked one. */
  readonly refusals: Readonly<Record<'revoked' | 'expired', string>>
}

/**
 * Returns the credential of a request by the first way in which it presents one; a refusal of that way (401) is final. Credentials are
 * remembered for four seconds.
 */
export function authenticator(ways: readonly SignInWay[], refused: RefusedSignIns, now: () => number = Date.now): Authenticate {
  const tried = ways.map((way) => ({ way, ...remembering(way, now) }))
  const authenticate = async (req: Request): Promise<Authenticated> => {
    for (const { way, find } of tried) {
      const presented = way.presented(req)
      if (presented === undefined) continue
      const credential = await find(presented)
      if (credential === undefined) throw unauthenticated(way.refusals.revoked)
      way.admit?.(req, presented)
      const signIn = { ...credential, source_ip: sourceOf(req) }
      const reason = refusalReason(credential, now())
      if (reason === undefined) return signIn
      // An expired session or issuer's token says nothing about its credential, so only the credential's own end is recorded.
      const { revoked, expires_at } = credential
      if (revoked || (expires_at !== null && expires_at <= now())) refused.note(signIn, reason)
      throw unauthenticated(way.refusals[reason])
    }
    throw unauthenticated('Send a credential as "Authorization: Bearer <token>".')
  }
  const forget = (presented: string) => {
    for (const way of tried) way.forget(presented)
  }
  return Object.assign(authenticate, { forget })
}

/** Checks the side first, then the scope, so that a refusal never discloses missing scopes to a credential of the other side. */
export function authorize(credential: Credential, { side, scope }: Pick<Endpoint, 'side' | 'scope'>): void {
  if (side !== 'everybody' && (side === 'any' ? credential.side === 'operator' : credential.side !== side)) {
    throw new Refusal('FORBIDDEN', `This endpoint serves ${SERVED[side]}; the credential is of side ${credential.side}.`, {
      required_side: side,
    })
  }
  if (scope !== null && !credential.scopes.has(scope))
    throw new Refusal('FORBIDDEN', `The credential lacks the scope ${scope}.`, { required_scope: scope })
}

const SERVED = { buyer: 'buyers', seller: 'sellers', any: 'buyers and sellers', operator: 'operators' } as const

export function unauthenticated(message: string): Refusal {
  return new Refusal('UNAUTHENTICATED', message)
}

/** Remembers a credential by its hash, unless it is revoked. The time runs from the query, not from its answer. */
function remembering({ find }: SignInWay, now: () => number): Pick<SignInWay, 'find'> & Pick<Authenticate, 'forget'> {
  const known = new Map<string, { credential: Credential; until: number }>()
  const remembered: SignInWay['find'] = async (presented) => {
    const key = keyOf(presented)
    const hit = known.get(key)
    if (hit !== undefined && hit.until > now()) return hit.credential
    const asked = now()
    const credential = await find(presented)
    known.delete(key)
    if (credential === undefined || credential.revoked) return credential
    if (known.size >= REMEMBERED) known.delete(known.keys().next().value as string)
    known.set(key, { credential, until: asked + REMEMBERED_MS })
    return credential
  }
  return { find: remembered, forget: (presented) => void known.delete(keyOf(presented)) }
}

/** Hashes the presented text, since issuers' tokens take kilobytes and must not appear in a memory dump. */
const keyOf = (presented: string) => hash('sha256', presented, 'base64')

function refusalReason({ revoked, expires_at, session, until }: Credential, at: number): keyof SignInWay['refusals'] | undefined {
  if (revoked) return 'revoked'
  if ((session?.until ?? until ?? Number.POSITIVE_INFINITY) <= at) return 'expired'
  return expires_at !== null && expires_at <= at ? 'expired' : undefined
}

/** Returns the peer's address, or the one that a trusted proxy states; IPv4 addresses have no IPv6 prefix. */
export function sourceOf({ ip }: Request): string | null {
  return ip?.replace(/^::ffff:(?=\d+\.)/, '') ?? null
}
