import { type Request, type RequestHandler, type Response, Router } from 'express'
import type { Logger } from 'pino'
import { faultsOf } from '../../src/contract/errorEnvelope.ts'
import { type PersonaList, type SessionReply, SignIn, type SignInWays } from '../../src/contract/session.ts'
import { Refusal, refuse } from '../../src/domain/refusal.ts'
import { strictJson } from '../../src/domain/strictJson.ts'
import { type Credential, findCredential } from '../../src/store/tenants/findCredential.ts'
import { findSession } from '../../src/store/tenants/findSession.ts'
import { listPersonas, newestCredential, tenantName } from '../../src/store/tenants/personas.ts'
import { endSession, openSession } from '../../src/store/tenants/sessions.ts'
import { isTokenForm } from '../../src/store/tenants/token.ts'
import { isSandbox } from '../endpoints/sandbox/mode.ts'
import type { Deps } from '../http/handler.ts'
import { readJson } from '../http/readJson.ts'
import { ok, type Reply } from '../http/reply.ts'
import { sendReply } from '../http/sendReply.ts'
import { type Authenticate, sourceOf, unauthenticated } from './auth.ts'
import { oidcSession } from './oidcSession.ts'
import type { OpenSession, Person } from './person.ts'
import { csrfOf, isOwnHost, presentedSecret, sessionCookie } from './sessionCookie.ts'
import { dailySignIns, loggingRefusals, signInThrottle } from './signInThrottle.ts'

/** Serves a person's browser session: sign-in, its state, sign-out. `authenticate` knows its cookie (choices, Sessions). */
export function sessionRoutes(deps: Deps, authenticate: Authenticate, log: Pick<Logger, 'info'>): Router {
  const throttled = loggingRefusals(signInThrottle(), log)
  const countSignIn = dailySignIns(deps.signInsPerDay)
  const send = (res: Response, reply: Reply) => sendReply(res, reply, (bytes) => deps.replyBytes.count('sessions', bytes))
  const end = async (req: Request) => {
    const secret = presentedSecret(deps, req)
    if (secret === undefined) return
    await endSession(deps.db, secret)
    authenticate.forget(secret)
  }
  /** Opens the session of a person who has just signed in, in place of the browser's previous session. */
  const open: OpenSession = async (req, res, { credential_id, entity, side, person, token }) => {
    await countSignIn(credential_id)
    const actor = { entity, side, via: 'console', credential_id, person, source_ip: sourceOf(req) } as const
    const secret = await openSession(deps.db.as([entity]), actor, person, token)
    const credential = await findSession(deps.db, secret)
    if (credential === undefined) throw unauthenticated('The session has ended already: sign in again.')
    await end(req)
    setCookie(deps, req, res, '', secret)
    return sessionReply(deps, credential, secret)
  }
  const router = Router()
  router.get('/session', async (req, res) => {
    const { session, ...credential } = await authenticate(req)
    const secret = presentedSecret(deps, req)
    if (session === undefined || secret === undefined) throw unauthenticated('There is no session: sign in.')
    send(res, ok(sessionReply(deps, { ...credential, session }, secret)))
  })
  router.delete('/session', async (req, res) => {
    const { session } = await authenticate(req)
    if (session === undefined) throw unauthenticated('There is no session to end.')
    await end(req)
    setCookie(deps, req, res, '; Max-Age=0')
    send(res, { status: 204 })
  })
  router.get('/session/personas', async (req, res) => {
    requireSandbox(deps)
    if (!isOwnHost(deps, req)) throw new Refusal('NOT_FOUND', 'There are personas at an address of this machine or at PUBLIC_URL only.')
    send(res, ok({ personas: await listPersonas(deps.db) } satisfies PersonaList))
  })
  router.post('/session', async (req, res) => {
    requireOwnPage(deps, req)
    const sent = await sentSignIn(deps, req)
    const account = sent.token ?? `persona ${sent.persona}`
    const person = await throttled.known(req, account, () => signedIn(deps, req, sent))
    send(res, { status: 201, body: await open(req, res, person) })
  })
  router.get('/session/ways', async (req, res) => {
    const ways: SignInWays = {
      personas: isSandbox(deps) && isOwnHost(deps, req),
      token: takesTokens(deps),
      issuer: deps.oidc?.signOn === undefined ? null : new URL(deps.oidc.issuer.issuer).host,
    }
    send(res, ok(ways))
  })
  router.use(oidcSession(deps, throttled, open))
  router.all('/session', onlyFor('GET, POST, DELETE'))
  for (const path of ['/session/personas', '/session/ways', '/session/oidc', '/session/callback']) router.all(path, onlyFor('GET'))
  return router
}

function onlyFor(methods: string): RequestHandler {
  return (req, res) => {
    res.setHeader('Allow', methods)
    throw new Refusal('METHOD_NOT_ALLOWED', `${req.method} is not served here.`)
  }
}

const MAX_BYTES = 4 * 1024

function sessionReply(
  { mode, temporalRuns }: Deps,
  { entity, side, scopes, session, expires_at }: Credential,
  secret: string,
): SessionReply {
  const { person, until } = session as NonNullable<Credential['session']>
  return {
    entity,
    side,
    scopes: [...scopes],
    name: person,
    mode,
    csrf: csrfOf(secret),
    ...(side === 'operator' && temporalRuns !== undefined && { temporal_ui: temporalRuns }),
    expires_at: new Date(Math.min(until, expires_at ?? until)).toISOString(),
  }
}

function setCookie(deps: Deps, req: Request, res: Response, more: string, secret = ''): void {
  const { name, attributes } = sessionCookie(deps, req)
  res.append('Set-Cookie', `${name}=${secret}; ${attributes}${more}`)
}

/** Keeps another site from signing its visitor in to that site's own account: browsers state a request's origin, and programs can. */
function requireOwnPage({ publicUrl }: Deps, { headers }: Request): void {
  const site = headers['sec-fetch-site']
  if (site === 'same-origin' || site === 'none') return
  // Browsers omit this header for an http address of another machine, but they always send the origin of a write.
  if (site === undefined && publicUrl?.protocol === 'http:' && headers.origin === publicUrl.origin) return
  throw new Refusal('FORBIDDEN', 'A sign-in must come from a page of this service: Sec-Fetch-Site must be same-origin or none.')
}

function requireSandbox(deps: Deps): void {
  if (!isSandbox(deps)) throw new Refusal('NOT_FOUND', 'There are personas in a sandbox only.')
}

async function sentSignIn({ bodyBytes }: Deps, req: Request): Promise<SignIn> {
  const held = bodyBytes.reserve('sessions', 0)
  try {
    const sent = strictJson(await readJson(req, MAX_BYTES, (bytes) => held.grow(bytes)), 100)
    const read = SignIn.safeParse(sent)
    return read.success ? read.data : refuse(faultsOf(SignIn, read.error.issues, sent))
  } finally {
    held.release()
  }
}

function signedIn(deps: Deps, req: Request, { persona, token }: SignIn): Promise<Person> {
  return token === undefined ? asPersona(deps, req, persona as string) : withToken(deps, req, token)
}

async function asPersona(deps: Deps, req: Request, handle: string): Promise<Person> {
  if (!isSandbox(deps)) throw new Refusal('FORBIDDEN', 'There are personas in a sandbox only.')
  if (!isOwnHost(deps, req)) {
    throw new Refusal('FORBIDDEN', 'A persona can sign in at an address of this machine or at PUBLIC_URL only.')
  }
  const known = (await listPersonas(deps.db)).find(({ persona }) => persona === handle)
  const credential_id = known && (await newestCredential(deps.db, known.entity))
  if (known === undefined || credential_id === undefined)
    throw unauthenticated('There is no such persona, or its tenant has no valid token.')
  const { entity, side, name } = known
  return { entity, side, person: name, credential_id }
}

function takesTokens(deps: Deps): boolean {
  return isSandbox(deps) || deps.tokenSessions
}

async function withToken(deps: Deps, req: Request, token: string): Promise<Person> {
  const { db, refusedSignIns } = deps
  if (!takesTokens(deps)) throw new Refusal('FORBIDDEN', 'Tokens do not open sessions here: CONSOLE_TOKEN_SIGN_IN is not true.')
  const credential = isTokenForm(token) ? await findCredential(db, token) : undefined
  if (credential === undefined) throw unauthenticated(REFUSED)
  const { credential_id, entity, side, revoked, expires_at } = credential
  const hasExpired = expires_at !== null && expires_at <= Date.now()
  if (revoked || hasExpired) {
    refusedSignIns.note({ credential_id, entity, side, source_ip: sourceOf(req) }, revoked ? 'revoked' : 'expired')
    throw unauthenticated(REFUSED)
  }
  return { credential_id, entity, side, person: await tenantName(db, entity) }
}

const REFUSED = 'The token is not valid: it is unknown, has expired or was revoked.'
