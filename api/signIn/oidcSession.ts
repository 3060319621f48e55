import { type Request, type RequestHandler, type Response, Router } from 'express'
import { CALLBACK_PATH, type SignOnFlow } from '../../src/adapters/http/oidcSignOn.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import { isStorableText } from '../../src/domain/strictJson.ts'
import { FOR_PEOPLE } from '../http/errors.ts'
import type { Deps } from '../http/handler.ts'
import { sourceOf, unauthenticated } from './auth.ts'
import { endOf, refuseToken, subjectOf } from './oidcSignIn.ts'
import type { OpenSession, Person } from './person.ts'
import { sentCookie, sessionCookie } from './sessionCookie.ts'
import type { SignInThrottle } from './signInThrottle.ts'

/** Signs a person in with the issuer: `/session/oidc` sends the browser there, `/session/callback` receives it (choices, Sign-on). */
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
    // This is not counted as refused, since another site can make a visitor's browser send it.
    if (flow === undefined)
      throw unauthenticated('This browser has begun no sign-in in the last ten minutes at this address: sign in again.')
    // A flow ends after one use, whatever its result.
    setFlowCookie(deps, req, res, '', 0)
    const person = await throttled.unknown(req, () => finished(deps, req, flow))
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

/** Refuses links of other sites, which must not start a sign-in. If a browser names no page, the issuer still asks the person. */
function refuseOtherPages({ headers }: Request): void {
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return
  throw new Refusal('FORBIDDEN', 'A sign-in must begin at a page of this service: Sec-Fetch-Site must be same-origin or none.')
}

/** Refuses images and frames of other sites, since only a page that the browser shows may end a sign-in. */
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

/** Returns the person's name for decision records. */
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

/** Returns the console page to return to, whatever page was requested. */
function ownPage(asked: unknown): string {
  const home = '/console/'
  if (typeof asked !== 'string' || asked.length > LONGEST_PAGE || !asked.startsWith(home)) return home
  const base = 'http://localhost'
  if (!URL.canParse(asked, base)) return home
  // This resolves the address as a browser does: dots are resolved, and backslashes count as slashes.
  const { origin, pathname, search, hash } = new URL(asked, base)
  return origin === base && pathname.startsWith(home) ? pathname + search + hash : home
}

const LONGEST_PAGE = 1_000

/** Names and secures the cookie like the session's, but Lax, since it must be sent when the issuer's page leads back here. */
function flowCookie(deps: Deps, req: Request): { name: string; attributes: string } {
  const { name, attributes } = sessionCookie(deps, req)
  return { name: name.replace('session', 'sign-on'), attributes: attributes.replace('SameSite=Strict', 'SameSite=Lax') }
}

function setFlowCookie(deps: Deps, req: Request, res: Response, text: string, seconds: number): void {
  const { name, attributes } = flowCookie(deps, req)
  res.append('Set-Cookie', `${name}=${text}; ${attributes}; Max-Age=${seconds}`)
}
