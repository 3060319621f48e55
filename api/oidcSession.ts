import { type Request, type RequestHandler, type Response, Router } from 'express'
import { CALLBACK_PATH, type SignOnFlow } from '../src/adapters/oidcSignOn.ts'
import { Refusal } from '../src/domain/refusal.ts'
import { isStorableText } from '../src/domain/strictJson.ts'
import { sourceOf, unauthenticated } from './auth.ts'
import { FOR_PEOPLE } from './errors.ts'
import type { Deps } from './handler.ts'
import { endOf, refuseToken, subjectOf } from './oidcSignIn.ts'
import type { OpenSession, Person } from './session.ts'
import { sentCookie, sessionCookie } from './sessionCookie.ts'
import type { SignInThrottle } from './signInThrottle.ts'

/** The sign-in of a person with the issuer: `/session/oidc` sends the browser there, and `/session/callback` takes it back (choices, Sign-on). */
export function oidcSession(deps: Deps, throttled: SignInThrottle, open: OpenSession): Router {
  const router = Router()
  router.get('/session/oidc', forPeople, async (req, res) => {
    const { signOn } = required(deps)
    refuseOtherPages(req)
    const { url, flow } = await signOn.begin().catch(refuseToken)
    setFlowCookie(deps, req, res, flowText({ ...flow, returnTo: ownPage(req.query.return) }), LIFE_SECONDS)
    res.setHeader('Cache-Control', 'no-store')
    res.redirect(303, url.href)
  })
  router.get(CALLBACK_PATH, forPeople, async (req, res) => {
    refuseEmbedded(req)
    const flow = readFlow(sentCookie(req, flowCookie(deps, req).name))
    // Not counted as refused: another site can make a visitor's browser ask for this.
    if (flow === undefined)
      throw unauthenticated('This browser has begun no sign-in in the last ten minutes at this address: sign in again.')
    // Whatever becomes of it, a flow ends once.
    setFlowCookie(deps, req, res, '', 0)
    const person = await throttled(req, () => finished(deps, req, flow))
    await open(req, res, person)
    res.setHeader('Cache-Control', 'no-store')
    res.redirect(303, flow.returnTo)
  })
  return router
}

const forPeople: RequestHandler = (req, res, next) => {
  res.locals[FOR_PEOPLE] = req.accepts('json', 'html') === 'html'
  next()
}

function required({ oidc }: Deps) {
  if (oidc?.signOn === undefined) throw new Refusal('NOT_FOUND', 'Nobody signs in with an issuer here: OIDC_CLIENT_ID is not set.')
  return { ...oidc, signOn: oidc.signOn }
}

/** A link of another site must not begin a sign-in. Where a browser does not say which page it comes from, the issuer still asks the person. */
function refuseOtherPages({ headers }: Request): void {
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return
  throw new Refusal('FORBIDDEN', 'A sign-in must begin at a page of this service: Sec-Fetch-Site must be same-origin or none.')
}

/** Only a page that the browser shows may end a sign-in: an image or a frame of another site may not. */
function refuseEmbedded({ headers }: Request): void {
  const shown = headers['sec-fetch-dest']
  if (shown !== undefined && shown !== 'document')
    throw new Refusal('FORBIDDEN', 'A sign-in must end in a window: Sec-Fetch-Dest must be document.')
}

async function finished(deps: Deps, req: Request, flow: Flow): Promise<Person> {
  const { signOn, ...oidc } = required(deps)
  const query = new URL(req.originalUrl, 'http://localhost').search
  const claims = await signOn.finish(query, flow).catch(refuseToken)
  const { scopes, revoked, ...subject } = await subjectOf(deps.db, { ...oidc, signOn }, claims, 'console')
  if (revoked) {
    deps.refusedSignIns.note({ ...subject, source_ip: sourceOf(req) }, 'revoked')
    throw unauthenticated('You may not sign in: the operator has revoked you here.')
  }
  const { credential_id, entity, side } = subject
  return { credential_id, entity, side, person: nameIn(claims), token: { scopes, until: endOf(claims) } }
}

/** As decision records name the person. */
function nameIn(claims: Readonly<Record<string, unknown>>): string {
  const named = ['name', 'preferred_username', 'email', 'sub'].map((claim) => claims[claim])
  const name = named.find((text): text is string => typeof text === 'string' && text.trim() !== '' && isStorableText(text)) ?? ''
  return name.trim().slice(0, LONGEST_NAME).toWellFormed()
}

const LONGEST_NAME = 200
const LIFE_SECONDS = 600

interface Flow extends SignOnFlow {
  readonly returnTo: string
}

function flowText({ state, nonce, verifier, returnTo }: Flow): string {
  return [state, nonce, verifier, Buffer.from(returnTo).toString('base64url')].join('.')
}

function readFlow(text = ''): Flow | undefined {
  const [, state, nonce, verifier, page = ''] = /^([\w-]{43})\.([\w-]{43})\.([\w-]{43})\.([\w-]*)$/.exec(text) ?? []
  if (state === undefined || nonce === undefined || verifier === undefined) return undefined
  return { state, nonce, verifier, returnTo: ownPage(Buffer.from(page, 'base64url').toString()) }
}

/** Where to return to: a page of the console, whatever was asked for. */
function ownPage(asked: unknown): string {
  const home = '/console/'
  if (typeof asked !== 'string' || asked.length > LONGEST_PAGE || !asked.startsWith(home)) return home
  const base = 'http://localhost'
  if (!URL.canParse(asked, base)) return home
  // As a browser reads it: with dots resolved, and backslashes as slashes.
  const { origin, pathname, search, hash } = new URL(asked, base)
  return origin === base && pathname.startsWith(home) ? pathname + search + hash : home
}

const LONGEST_PAGE = 1_000

/** Lax, since it must be sent when the issuer's page leads back here; named and secured as the cookie of the session. */
function flowCookie(deps: Deps, req: Request): { name: string; attributes: string } {
  const { name, attributes } = sessionCookie(deps, req)
  return { name: name.replace('session', 'sign-on'), attributes: attributes.replace('SameSite=Strict', 'SameSite=Lax') }
}

function setFlowCookie(deps: Deps, req: Request, res: Response, text: string, seconds: number): void {
  const { name, attributes } = flowCookie(deps, req)
  res.append('Set-Cookie', `${name}=${text}; ${attributes}; Max-Age=${seconds}`)
}
