import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  None,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { SignOnClient } from '../../config/index.ts'
import { IssuerAway, type IssuerMetadata, type OidcIssuer, type TokenClaims, TokenFault } from './oidcIssuer.ts'

/** The state that a browser keeps during a sign-in, so that only the browser that began it can finish it. */
export interface SignOnFlow {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** The sign-in of a person with an issuer, by authorization code and PKCE. Both methods reject with IssuerAway if it cannot be reached. */
export interface SignOn {
  /** Begins a sign-in and returns the URL to send the browser to. */
  begin(): Promise<{ url: URL; flow: SignOnFlow }>
  /** Ends it with the query that the issuer added to the redirect. Returns the ID token's claims; rejects with TokenFault if refused. */
  finish(query: string, flow: SignOnFlow): Promise<TokenClaims>
}

export const CALLBACK_PATH = '/session/callback'

const ANSWER_SECONDS = 10

export function oidcSignOn(issuer: OidcIssuer, client: SignOnClient): SignOn {
  // The callback comes from PUBLIC_URL, never from a Host header, which a stranger may choose.
  const callback = new URL(CALLBACK_PATH, client.publicUrl)
  return {
    async begin() {
      const config = configurationOf(await issuer.metadata(), client)
      const flow = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
      const url = buildAuthorizationUrl(config, {
        redirect_uri: callback.href,
        scope: client.scopes,
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: 'S256',
      })
      return { url, flow }
    },
    async finish(query, { state, nonce, verifier }) {
      const config = configurationOf(await issuer.metadata(), client)
      const returned = new URL(callback)
      returned.search = query
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
      const { id_token } = await authorizationCodeGrant(config, returned, checks).catch((error: unknown) => {
        throw signOnFault(error)
      })
      if (id_token === undefined) throw new TokenFault('The issuer sent no ID token.')
      return issuer.verify(id_token, client.id)
    },
  }
}

function configurationOf(metadata: IssuerMetadata, { id, secret }: SignOnClient): Configuration {
  const config = new Configuration(metadata, id, undefined, secret === undefined ? None() : secretAuth(metadata, secret))
  config.timeout = ANSWER_SECONDS
  // The settings accept http only for an issuer on this machine.
  if (metadata.issuer.startsWith('http:')) allowInsecureRequests(config)
  return config
}

/** Chooses how to send the client secret. An issuer that names no method accepts Basic. */
function secretAuth({ token_endpoint_auth_methods_supported: methods }: IssuerMetadata, secret: string): ClientAuth {
  return Array.isArray(methods) && !methods.includes('client_secret_basic') ? ClientSecretPost(secret) : ClientSecretBasic(secret)
}

/** Omits the issuer's texts from the fault, since a stranger could have written them into the redirect. */
function signOnFault(error: unknown): unknown {
  if (isAway(error)) return new IssuerAway((error as Error).message)
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError)
    return new TokenFault(`The issuer refused the sign-in: ${wordOf(error.error)}.`)
  if (error instanceof ClientError)
    return new TokenFault('The answer of the issuer does not belong to a sign-in of this browser: sign in again.')
  return error
}

/** Returns whether the issuer could not be reached. When no connection is made, fetch fails with a TypeError. */
function isAway(error: unknown): boolean {
  const { name, cause, code } = error as { name?: string; cause?: { name?: string }; code?: string }
  return (
    name === 'TypeError' ||
    cause?.name === 'TypeError' ||
    AWAY.has(code ?? '') ||
    (error instanceof ResponseBodyError && error.status >= 500)
  )
}

const AWAY = new Set(['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON'])

function wordOf(code: string): string {
  return /^[a-z_]{1,60}$/.test(code) ? code : 'it gave no reason'
}
