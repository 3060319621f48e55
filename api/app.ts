import { randomUUID } from 'node:crypto'
import express, { type Express, type Request, type RequestHandler, type Response } from 'express'
import helmet from 'helmet'
import type { Logger } from 'pino'
import { Refusal } from '../src/domain/refusal.ts'
import { greetBuyers } from './endpoints/sandbox/greetBuyers.ts'
import { markOf } from './endpoints/sandbox/mode.ts'
import { compressReplies } from './http/compressReplies.ts'
import { errorHandler } from './http/errors.ts'
import { exactPath } from './http/exactPath.ts'
import type { Deps } from './http/handler.ts'
import { measureRequest } from './http/measureRequest.ts'
import { rateLimiter } from './http/rateLimit.ts'
import { type Admission, requestHandler } from './http/requestHandler.ts'
import { requestLog } from './http/requestLog.ts'
import type { Route } from './http/route.ts'
import { staticDocument } from './http/staticDocument.ts'
import { unknownProxies } from './http/unknownProxies.ts'
import { CHANGELOG } from './pages/changelog.ts'
import { consolePages } from './pages/console.ts'
import { frontPage } from './pages/frontPage.ts'
import { openapi } from './pages/openapi.ts'
import { readiness } from './pages/readiness.ts'
import { referencePages } from './reference/pages.ts'
import { servedRoutes } from './routes.ts'
import { authenticator } from './signIn/auth.ts'
import { oidcSignIn } from './signIn/oidcSignIn.ts'
import { sessionRoutes } from './signIn/session.ts'
import { sessionSignIn } from './signIn/sessionSignIn.ts'
import { tokenSignIn } from './signIn/tokenSignIn.ts'

const changelogDocument = staticDocument(JSON.stringify(CHANGELOG))
const openapiDocument = staticDocument(openapi())

/**
 * The HTTP application: the endpoint table under /v1, the OpenAPI contract, the console, and one error handler for everything. `now` is the
 * clock by which credentials are remembered, in epoch milliseconds.
 */
export function createApp(deps: Deps, log: Logger, now: () => number = Date.now): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  // A client that was answered at another path than the documented one would keep it.
  app.enable('case sensitive routing')
  app.enable('strict routing')
  if (deps.trustedProxies !== undefined) app.set('trust proxy', deps.trustedProxies)
  app.set('query parser', 'simple')
  app.use(
    beforeAll(
      unknownProxies(log, (address) => app.get('trust proxy fn')(address, 0)),
      markOf(deps),
    ),
  )
  // A bearer outranks the cookie, since a program that sends both means the bearer.
  const oidc = deps.oidc === undefined ? [] : [oidcSignIn(deps.db, deps.oidc)]
  const authenticate = authenticator([...oidc, tokenSignIn(deps.db), sessionSignIn(deps)], deps.refusedSignIns, now)
  mount(app, deps, { authenticate, limits: rateLimiter(deps.rateLimits), greet: greetBuyers(deps, log) })
  app.get('/', frontPage(deps))
  app.use('/console', consolePages())
  app.use(referencePages())
  app.get('/healthz', (_req, res) => void res.json({ status: 'ok' }))
  app.get('/readyz', readiness(deps.db))
  app.get('/v1/changelog.json', changelogDocument)
  app.get('/v1/openapi.json', openapiDocument)
  app.use(sessionRoutes(deps, authenticate, log))
  app.use((req, _res) => {
    const exact = exactPath(req.path, deps)
    const advice = 'what there is begins with /v1 and is listed at /v1/openapi.json; people use /console and /docs'
    throw new Refusal('NOT_FOUND', `There is nothing at ${req.path}; ${exact === undefined ? advice : `the path is ${exact}`}.`)
  })
  app.use(errorHandler(requestLog(log, deps.refusedRequests)))
  return app
}

/** Prepares every request in one middleware, since Express takes longer to step through five than a small one takes to run. */
function beforeAll(lookAtPeer: (req: Request) => void, mark: Readonly<Record<string, string>>): RequestHandler {
  const fixed = new Map([...headersOf(helmet()), ...Object.entries(mark)])
  const compress = compressReplies()
  return (req, res, next) => {
    measureRequest(req, res)
    lookAtPeer(req)
    res.setHeaders(fixed)
    compress(req, res)
    nameRequest(req, res)
    requireHost(req, res)
    next()
  }
}

/** Returns the headers that a middleware sets identically on every reply. */
function headersOf(middleware: (req: never, res: never, next: () => void) => void): Map<string, string> {
  const headers = new Map<string, string>()
  const seen = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  }
  middleware({} as never, seen as never, () => undefined)
  return headers
}

function mount(app: Express, deps: Deps, admission: Admission): void {
  const paths = new Map<string, Route[]>()
  for (const bound of servedRoutes(deps)) paths.set(bound.endpoint.path, [...(paths.get(bound.endpoint.path) ?? []), bound])
  // Express tries its routes in order. Reversed, /orders/preview, which follows /orders/:order_id in the table, is tried before it.
  for (const [path, bound] of [...paths].reverse().sort(([one], [other]) => rankOf(one) - rankOf(other))) {
    const route = app.route(`/v1${path}`)
    for (const one of bound) route[one.endpoint.method](requestHandler(one, deps, admission))
    const allowed = bound.map(({ endpoint }) => endpoint.method.toUpperCase()).join(', ')
    route.all((req, res) => {
      res.setHeader('Allow', allowed)
      throw new Refusal('METHOD_NOT_ALLOWED', `${req.method} is not served here; ${allowed} is.`)
    })
  }
}

/** Ranks the busiest paths first, then those below busy ones; paths of equal rank keep their order. */
function rankOf(path: string): number {
  const rank = BUSIEST.indexOf(path)
  if (rank !== -1) return rank
  const below = BUSY.findIndex((prefix) => path.startsWith(prefix))
  return BUSIEST.length + (below === -1 ? BUSY.length : below)
}

/** Two of these paths precede a path that would match them too. */
const BUSIEST = ['/orders', '/events', '/events/feed', '/me/orders', '/orders/preview', '/orders/counts', '/orders/:order_id']
const BUSY = ['/orders', '/events', '/me/orders']

/** Requires exactly one Host, as HTTP/1.1 does: otherwise servers in a chain may take a request for different hosts. */
function requireHost({ rawHeaders, httpVersion }: Request, res: Response): void {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return
  res.setHeader('Connection', 'close')
  throw new Refusal('MALFORMED_REQUEST', `A request has exactly one Host header; this one has ${hosts}.`)
}

/** Accepts and returns X-Request-Id (choices, Headers): a sent id is kept if it is harmless in a log. */
function nameRequest(req: Request, res: Response): void {
  const sent = req.headers['x-request-id']
  const id = typeof sent === 'string' && /^[\w.:-]{1,128}$/.test(sent) ? sent : randomUUID()
  req.headers['x-request-id'] = id
  res.setHeader('X-Request-Id', id)
}
