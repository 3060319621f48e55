import { randomUUID } from 'node:crypto'
import compression from 'compression'
import express, { type Express, type Request, type RequestHandler, type Response } from 'express'
import helmet from 'helmet'
import type { Logger } from 'pino'
import { z } from 'zod'
import { faultsOf } from '../src/contract/errorEnvelope.ts'
import { Refusal, refuseIfAny } from '../src/domain/refusal.ts'
import { isStorableText } from '../src/domain/strictJson.ts'
import { answer, NOTHING, takesLong } from './answer.ts'
import { type Authenticate, authenticator, authorize } from './auth.ts'
import type { BodyThreads } from './bodyThreads.ts'
import type { Reservation } from './byteBudget.ts'
import { byteStream } from './byteStream.ts'
import { CHANGELOG } from './changelog.ts'
import { bodyIsOptional, type Caller, type Deps, type Endpoint, type Handler, type Reply } from './endpoint.ts'
import { errorHandler } from './errors.ts'
import { frontPage } from './frontPage.ts'
import { openapi } from './openapi.ts'
import { type Limits, rateLimiter } from './rateLimit.ts'
import { type BodyBounds, readBody } from './readBody.ts'
import { ENDPOINTS } from './routes.ts'
import { sendReply } from './sendReply.ts'

const DEFAULT_BODY_LIMIT = 1024 * 1024

/** The HTTP face: the endpoint table under /v1, the contract beside it, and one error handler behind everything. */
export function createApp(deps: Deps, log: Logger): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  if (deps.trustedProxies !== undefined) app.set('trust proxy', deps.trustedProxies)
  app.set('query parser', 'simple')
  app.use(sameHeaders(helmet()), compression(), requestId)
  app.get('/', frontPage)
  app.get('/healthz', (_req, res) => void res.json({ status: 'ok' }))
  app.get('/readyz', ready(deps))
  app.get('/v1/changelog.json', (_req, res) => void res.json(CHANGELOG))
  app.get('/v1/openapi.json', (_req, res) => void res.type('application/json').send(openapi()))
  mount(app, deps, { authenticate: authenticator(deps.db, deps.refusedSignIns), limits: rateLimiter(deps.rateLimits) })
  app.use((req, _res) => {
    throw new Refusal('NOT_FOUND', `There is nothing at ${req.path}; what there is begins with /v1 and is listed at /v1/openapi.json.`)
  })
  const idOf = (res: Response) => res.getHeader('X-Request-Id')
  app.use(
    errorHandler({
      failed: (error, res) => log.error({ err: error, req_id: idOf(res) }, 'request failed'),
      unavailable: (reason, res) => log.error({ reason, req_id: idOf(res) }, 'answered 503'),
    }),
  )
  return app
}

/** A middleware that sets the same headers on every answer is asked once. */
function sameHeaders(middleware: (req: never, res: never, next: () => void) => void): RequestHandler {
  const headers = new Map<string, string>()
  const seen = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  }
  middleware({} as never, seen as never, () => undefined)
  return (_req, res, next) => {
    res.setHeaders(headers)
    next()
  }
}

/** Who stands at the door of every endpoint. */
interface Door {
  authenticate: Authenticate
  limits: Limits
}

function mount(app: Express, deps: Deps, door: Door): void {
  const paths = new Map<string, Endpoint[]>()
  for (const row of ENDPOINTS) paths.set(row.path, [...(paths.get(row.path) ?? []), row])
  // Express asks its routes one after the other: orders, which stand last in the table, come first.
  for (const [path, rows] of [...paths].reverse()) {
    const route = app.route(`/v1${path}`)
    for (const row of rows) route[row.method](handlerOf(row, deps, door))
    const allowed = rows.map(({ method }) => method.toUpperCase()).join(', ')
    route.all((req, res) => {
      res.setHeader('Allow', allowed)
      throw new Refusal('METHOD_NOT_ALLOWED', `${req.method} is not served here; ${allowed} is.`)
    })
  }
}

/** Credential, scope, then path, query and body: strangers cannot make the service hold their bytes. */
function handlerOf(row: Endpoint, deps: Deps, { authenticate, limits }: Door): RequestHandler {
  const handler = row.handler as unknown as Handler
  const knownQuery = (row.query ?? NO_QUERY).strict()
  const mayBeAbsent = bodyIsOptional(row)
  return async (req, res) => {
    const caller = await authenticate(req)
    await limits.request(row, caller.credential_id)
    authorize(caller, row)
    deps.replyBytes.refuseExhausted(caller.entity)
    const params = checkedParams(req)
    const query = checkedQuery(knownQuery, req)
    const { headers } = req
    const gone = () => closing(res)
    const send = (reply: Reply) => sendReply(res, reply, (bytes) => reserveReply(deps, row, caller, bytes))
    if (row.stream)
      return send(await handler(deps, { caller, params, query, body: byteStream(req), raw: NOTHING, headers, unknown: [], gone }))
    const held = deps.bodyBytes.reserve(caller.entity, 0)
    try {
      const admit = (bytes: number) => {
        limits.bytes(caller.entity, bytes)
        held.grow(bytes)
      }
      const takesNone = row.body === undefined || (mayBeAbsent && !hasBody(req))
      const raw = takesNone ? undefined : await readJson(req, row, admit)
      const ask = { caller, params, query, headers, gone }
      const threads = raw !== undefined && (limits.hasWorkedMuch(caller.entity) || takesLong(raw)) ? threadsFor(row, deps) : undefined
      if (raw !== undefined && threads !== undefined) return send(await threads.answer(row, { ...ask, raw }))
      const began = performance.now()
      const answered = answer(row, deps, { ...ask, raw })
      limits.work(caller.entity, performance.now() - began)
      send(await answered)
    } finally {
      held.release()
    }
  }
}

/** Publishes, which may take half a minute, do not make anything else wait for a thread. */
function threadsFor({ bodyLimit }: Endpoint, { bodyThreads }: Deps): BodyThreads | undefined {
  return bodyLimit === undefined ? bodyThreads?.others : bodyThreads?.publishes
}

/** A command has been carried out when its reply is known: that one is sent in any case. */
function reserveReply({ replyBytes }: Deps, { method }: Endpoint, { entity }: Caller, bytes: number): Reservation {
  return method === 'get' ? replyBytes.reserve(entity, bytes) : replyBytes.count(entity, bytes)
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function readJson(req: Request, { bodyLimit = DEFAULT_BODY_LIMIT }: Endpoint, admit: BodyBounds['admit']): Promise<Buffer> {
  if (!/^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(req.headers['content-type'] ?? '')) {
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json in UTF-8.')
  }
  return readBody(req, { limit: bodyLimit, admit })
}

function checkedParams(req: Request): Record<string, string> {
  const params = req.params as Record<string, string>
  if (!Object.values(params).every(isStorableText)) throw new Refusal('MALFORMED_REQUEST', 'The path holds U+0000 or a lone surrogate.')
  return params
}

/** A parameter that an endpoint does not know is refused: unseen, it would seem to work. */
const NO_QUERY = z.object({})

function checkedQuery(query: z.ZodObject, req: Request): unknown {
  const sent = req.query as Record<string, string | string[]>
  if (!Object.entries(sent).flat(2).every(isStorableText))
    throw new Refusal('MALFORMED_REQUEST', 'The query holds U+0000 or a lone surrogate.')
  const result = query.safeParse({ ...sent })
  if (!result.success) refuseIfAny(faultsOf(query, result.error.issues, sent))
  return result.data
}

function closing(res: Response): AbortSignal {
  const closed = new AbortController()
  res.once('close', () => closed.abort())
  if (res.destroyed) closed.abort()
  return closed.signal
}

/** X-Request-Id in and out (choices, Headers): a sent one is kept when it is harmless in a log. */
const requestId: RequestHandler = (req, res, next) => {
  const sent = req.headers['x-request-id']
  const id = typeof sent === 'string' && /^[\w.:-]{1,128}$/.test(sent) ? sent : randomUUID()
  req.headers['x-request-id'] = id
  res.setHeader('X-Request-Id', id)
  next()
}

function ready({ db }: Deps): RequestHandler {
  return async (_req, res) => {
    await db.pool.query('select 1')
    res.json({ status: 'ready' })
  }
}
