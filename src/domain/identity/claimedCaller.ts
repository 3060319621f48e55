import { type Scope, SIDE_SCOPES, SIDES, type Side } from '../../contract/vocabulary/access.ts'
import { Refusal } from '../refusal.ts'
import { ENTITY_FORM, isEntity } from './entity.ts'

/** The caller that an issuer's token names, with its scopes. */
export interface ClaimedCaller {
  readonly entity: string
  readonly side: Side
  readonly scopes: readonly Scope[]
}

/** The names of the claims that identify the caller. */
export interface ClaimNames {
  readonly tenant: string
  readonly side: string
  readonly scope: string
}

type Claims = Readonly<Record<string, unknown>>

/**
 * Returns the caller that a valid token names. Throws FORBIDDEN, with the claim in the details, if a claim is missing or wrong. Ignores
 * foreign scopes such as openid, but refuses a scope of the other side, since the issuer intended to grant it.
 */
export function claimedCaller(claims: Claims, names: ClaimNames): ClaimedCaller {
  const entity = claims[names.tenant]
  if (typeof entity !== 'string' || !isEntity(entity)) throw wrong(names.tenant, ENTITY_FORM, entity)
  const side = claims[names.side]
  if (!isSide(side)) throw wrong(names.side, SIDES.join(' or '), side)
  return { entity, side, scopes: scopesOf(claims[names.scope], names.scope, side) }
}

function scopesOf(sent: unknown, claim: string, side: Side): Scope[] {
  const words = typeof sent === 'string' ? sent.split(' ') : sent
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string'))
    throw wrong(claim, 'a text of scopes with spaces between them, or a list of scopes', sent)
  const allowed: readonly string[] = SIDE_SCOPES[side]
  const foreign = words.find((word) => EVERY_SCOPE.has(word) && !allowed.includes(word))
  if (foreign !== undefined)
    throw new Refusal(
      'FORBIDDEN',
      `The claim ${claim} of the token has ${foreign}, which a ${side} cannot hold; it can hold ${allowed.join(', ')}.`,
      { claim },
    )
  const held = [...new Set(words)].filter((word): word is Scope => allowed.includes(word))
  if (held.length === 0)
    throw new Refusal('FORBIDDEN', `The claim ${claim} of the token has no scope of a ${side}; it can hold ${allowed.join(', ')}.`, {
      claim,
    })
  return held
}

const EVERY_SCOPE: ReadonlySet<string> = new Set(Object.values(SIDE_SCOPES).flat())

/** Returns true for a tenant's side, since an issuer never authenticates operators. */
function isSide(sent: unknown): sent is Side {
  return (SIDES as readonly unknown[]).includes(sent)
}

function wrong(claim: string, allowed: string, sent: unknown): Refusal {
  const found = sent === undefined ? 'it is missing' : `it is ${JSON.stringify(sent).slice(0, 100)}`
  return new Refusal('FORBIDDEN', `The claim ${claim} of the token must be ${allowed}; ${found}.`, { claim })
}
