import { createLocalJWKSet, errors, type JWTPayload, jwtVerify, type LocalJWKSet } from 'jose'
import { z } from 'zod'

/** An OpenID Connect issuer: its metadata, and the keys that verify its tokens. */
export interface OidcIssuer {
  readonly issuer: string
  /** Returns the claims of a token that is valid now. Rejects with TokenFault if it is not, and with IssuerAway if that is unknown. */
  verify(token: string, audience: string): Promise<TokenClaims>
  /** Returns the issuer's discovery document. Rejects with IssuerAway if it has never been read. */
  metadata(): Promise<IssuerMetadata>
  close(): void
}

export type TokenClaims = JWTPayload & { readonly sub: string; readonly exp: number }

/** A token that is not valid. The message is for its sender. */
export class TokenFault extends Error {
  override name = 'TokenFault'
}

/** The issuer has not answered, and there are no keys to continue with. */
export class IssuerAway extends Error {
  override name = 'IssuerAway'
}

const METADATA = z
  .object({ issuer: z.string(), jwks_uri: z.url(), authorization_endpoint: z.url(), token_endpoint: z.url() })
  .catchall(z.json())
export type IssuerMetadata = z.infer<typeof METADATA>

const KEYS = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })) })

const ALGORITHMS = ['RS256', 'ES256', 'EdDSA']
/** The largest difference between the clocks of the issuer and of this machine. */
export const SKEW_SECONDS = 30

const TICK_MS = 5_000
/** The age at which keys are read again, and so the time within which withdrawn keys are gone. */
const FRESH_MS = 10 * 60_000
/** How long known keys stay valid while the issuer is unreachable. After that they are refused, since one may have been withdrawn. */
const KEPT_MS = 24 * 3_600_000
/** The shortest time between two reads of the keys, however many tokens have unknown keys. */
const PAUSE_MS = 30_000
const AWAY_PAUSE_MS = 5_000
const ANSWER_MS = 5_000
const MAX_BYTES = 1024 * 1024

interface Known {
  readonly metadata: IssuerMetadata
  readonly keys: LocalJWKSet
  readonly readAt: number
}

/** Opens an issuer. Reads it immediately and then in the background, so no request waits for it while its keys are known. */
export function openOidcIssuer(issuer: string, failed: (reason: string) => void, now: () => number = Date.now): OidcIssuer {
  let known: Known | undefined
  let reading: Promise<Known> | undefined
  let isAway = false
  let nextRead = 0

  /** Reads the issuer again, or joins a read in progress; undefined if the last read was too recent. */
  const read = (): Promise<Known> | undefined => {
    if (reading !== undefined || now() < nextRead) return reading
    nextRead = now() + PAUSE_MS
    reading = readIssuer(issuer).then(
      (answer) => {
        known = { ...answer, readAt: now() }
        isAway = false
        reading = undefined
        return known
      },
      (error: unknown) => {
        isAway = true
        nextRead = now() + AWAY_PAUSE_MS
        reading = undefined
        failed(reasonOf(error))
        throw new IssuerAway(reasonOf(error))
      },
    )
    return reading
  }
  const inBackground = () => void read()?.catch(() => undefined)
  const ageOf = (one: Known) => now() - one.readAt
  const current = async (): Promise<Known> => {
    if (known !== undefined && ageOf(known) < KEPT_MS) return known
    const fresh = read()
    if (fresh === undefined) throw new IssuerAway('It did not answer a moment ago.')
    return fresh
  }
  const timer = setInterval(() => {
    if (known === undefined || ageOf(known) >= FRESH_MS) inBackground()
  }, TICK_MS).unref()
  inBackground()

  return {
    issuer,
    async verify(token, audience) {
      const check = ({ keys }: Known) => claimsOf(token, keys, { issuer, audience, at: now() })
      try {
        return await check(await current())
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw tokenFault(error, issuer, audience)
      }
      // The token's key may be newer than the keys that were read.
      try {
        const renewed = await read()
        if (renewed !== undefined) return await check(renewed)
      } catch (error) {
        throw tokenFault(error, issuer, audience)
      }
      if (isAway) throw new IssuerAway('Its keys may be newer than those that are known.')
      throw new TokenFault(UNKNOWN_KEY)
    },
    metadata: async () => (await current()).metadata,
    close: () => clearInterval(timer),
  }
}

async function claimsOf(
  token: string,
  keys: LocalJWKSet,
  { issuer, audience, at }: { issuer: string; audience: string; at: number },
): Promise<TokenClaims> {
  const { payload } = await jwtVerify(token, keys, {
    issuer,
    audience,
    algorithms: ALGORITHMS,
    clockTolerance: SKEW_SECONDS,
    currentDate: new Date(at),
    requiredClaims: ['sub', 'exp'],
  })
  const { sub, exp } = payload
  if (sub === undefined || exp === undefined) throw new TokenFault('The token is not valid: it needs the claims sub and exp.')
  return { ...payload, sub, exp }
}

const UNKNOWN_KEY = 'The token is not valid: it is signed under a key that the issuer does not have.'

/** Describes in terms of its claims what is wrong with a token. Returns an error that is not about the token unchanged. */
function tokenFault(error: unknown, issuer: string, audience: string): unknown {
  if (error instanceof errors.JWKSNoMatchingKey) return new TokenFault(UNKNOWN_KEY)
  if (error instanceof errors.JWTExpired) return new TokenFault('The token has expired.')
  if (error instanceof errors.JOSEAlgNotAllowed) return new TokenFault(`The token is not valid: its alg must be ${ALGORITHMS.join(', ')}.`)
  if (error instanceof errors.JWSSignatureVerificationFailed) return new TokenFault('The token is not valid: its signature is wrong.')
  if (error instanceof errors.JWKSMultipleMatchingKeys)
    return new TokenFault('The token is not valid: it has no kid, and the issuer has several keys.')
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'aud') return new TokenFault(`The token is not valid: its aud must name ${audience}.`)
    if (error.claim === 'iss') return new TokenFault(`The token is not valid: its iss must be ${issuer}.`)
    if (error.claim === 'nbf' && error.reason === 'check_failed') return new TokenFault('The token is not valid yet: its nbf is to come.')
    return new TokenFault(`The token is not valid: its claim ${error.claim} is missing or wrong.`)
  }
  // jose throws a TypeError for a key of the issuer that is too weak or does not fit the algorithm.
  if (error instanceof errors.JOSEError || error instanceof TypeError)
    return new TokenFault('The token is not valid: it is not a signed token of the issuer.')
  return error
}

async function readIssuer(issuer: string): Promise<Pick<Known, 'metadata' | 'keys'>> {
  const metadata = METADATA.parse(await readJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`))
  if (metadata.issuer !== issuer)
    throw new Error(`its discovery document names the issuer ${metadata.issuer.slice(0, 200)}, OIDC_ISSUER ${issuer}`)
  if (new URL(metadata.jwks_uri).protocol !== new URL(issuer).protocol) throw new Error('its jwks_uri has another scheme than the issuer')
  return { metadata, keys: createLocalJWKSet(KEYS.parse(await readJson(metadata.jwks_uri))) }
}

async function readJson(url: string): Promise<unknown> {
  const reply = await fetch(url, { redirect: 'error', headers: { accept: 'application/json' }, signal: AbortSignal.timeout(ANSWER_MS) })
  if (reply.status !== 200) {
    await reply.body?.cancel()
    throw new Error(`${url} answered ${reply.status}`)
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of reply.body ?? []) {
    size += chunk.length
    if (size > MAX_BYTES) throw new Error(`${url} answered more than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

/** Returns the message with its cause, since fetch itself only reports that a connection failed. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } }
  return [message, cause?.message || cause?.code].filter(Boolean).join(': ') || String(error)
}
