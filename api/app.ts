import { randomUUID } from 'node:crypto'
import compression from 'compression'
import express, { type Express, type Request, type RequestHandler, type Response } from 'express'
import helmet from 'helmet'
import type { Logger } from 'pino'
import { z } from 'zod'
import { type Fault, faultsOf } from '../src/contract/errorEnvelope.ts'
import { inBodyOrder } from '../src/domain/bodyOrder.ts'
import { Refusal, refuseIfAny } from '../src/domain/refusal.ts'
import { isStorableText, strictJson } from '../src/domain/strictJson.ts'
import { type Authenticate, authenticator, authorize } from './auth.ts'
import { byteStream } from './byteStream.ts'
import { CHANGELOG } from './changelog.ts'
import { bodyIsOptional, type Call, type Caller, type Deps, type Endpoint, type Handler, type Reply } from './endpoint.ts'
import { errorHandler } from './errors.ts'
import { openapi } from './openapi.ts'
import { type Limit, rateLimiter } from './rateLimit.ts'
import { ENDPOINTS } from './routes.ts'
import { unknownIn, withWarnings } from './unknownMembers.ts'

const DEFAULT_BODY_LIMIT = 1024 * 1024

/** The HTTP face: the endpoint table under /v1, the contract beside it, and one error handler behind everything. */
export function createApp(deps: Deps, log: Logger): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  app.use(sameHeaders(helmet()), compression(), requestId)
  app.get('/healthz', (_req, res) => void res.json({ status: 'ok' }))
  app.get('/readyz', ready(deps))
  app.get('/v1/changelog.json', (_req, res) => void res.json(CHANGELOG))
  app.get('/v1/openapi.json', (_req, res) => void res.type('application/json').send(openapi()))
  mount(app, deps, { authenticate: authenticator(deps.db), limit: rateLimiter(deps.rateLimits) })
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
  limit: Limit
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
function handlerOf(row: Endpoint, deps: Deps, { authenticate, limit }: Door): RequestHandler {
  const readBody =
    row.body === undefined ? undefined : express.raw({ type: () => true, limit: row.bodyLimit ?? DEFAULT_BODY_LIMIT, inflate: false })
  const handler = row.handler as unknown as Handler
  const knownQuery = (row.query ?? NO_QUERY).strict()
  const mayBeAbsent = bodyIsOptional(row)
  return async (req, res) => {
    const caller = await authenticate(req)
    await limit(row, caller.credential_id)
    authorize(caller, row)
    const params = checkedParams(req)
    const query = checkedQuery(knownQuery, req)
    let raw: Buffer = Buffer.alloc(0)
    let sent: unknown
    const gone = () => closing(res)
    if (row.stream) return send(res, await handler(deps, { caller, params, query, body: byteStream(req), raw, unknown: [], gone }))
    if (mayBeAbsent && !hasBody(req)) sent = {}
    else if (readBody !== undefined) {
      requireJson(req)
      await passThrough(readBody, req, res)
      raw = Buffer.isBuffer(req.body) ? req.body : raw
      sent = strictJson(raw)
      checkTenant(row, sent, caller.entity)
    }
    try {
      const { faults, warnings: unknown } = unknownIn(row, sent)
      const checked = await checkedBody(row, deps, caller, sent, faults)
      const call: Call = { caller, params, query, body: checked, raw, unknown, gone }
      send(res, withWarnings(await handler(deps, call), unknown))
    } catch (error) {
      throw inBodyOrder(error, sent)
    }
  }
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** The server as a whole waits as long as the longest body may take; one that is read into memory gets less (promises, HTTP). */
const BODY_MS = 30_000

function passThrough(middleware: RequestHandler, req: Request, res: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      res.setHeader('Connection', 'close')
      reject(new Refusal('MALFORMED_REQUEST', `The body did not arrive within ${BODY_MS / 1_000} s.`))
    }, BODY_MS)
    void middleware(req, res, (error?: unknown) => {
      clearTimeout(late)
      if (error === undefined) resolve()
      else reject(error as Error)
    })
  })
}

function requireJson(req: Request): void {
  if (!/^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(req.headers['content-type'] ?? '')) {
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json in UTF-8.')
  }
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
  if (!result.success) refuseIfAny(faultsOf(result.error.issues, sent))
  return result.data
}

/** A body that names another tenant is refused for that, whatever else it says; nothing is created (spec, Authentication 3). */
function checkTenant({ tenant }: Endpoint, sent: unknown, entity: string): void {
  if (tenant === undefined || typeof sent !== 'object' || sent === null || !Object.hasOwn(sent, tenant)) return
  const named = (sent as Record<string, unknown>)[tenant]
  if (named === entity) return
  throw new Refusal('TENANT_MISMATCH', `${tenant} names another tenant than the credential.`, { field: tenant })
}

async function checkedBody(
  { body, review }: Endpoint,
  deps: Deps,
  caller: Caller,
  sent: unknown,
  unknown: readonly Fault[],
): Promise<unknown> {
  const result = body?.safeParse(sent)
  if (result === undefined) return undefined
  if (!result.success) refuseIfAny([...faultsOf(result.error.issues, sent), ...unknown, ...((await review?.(deps, caller, sent)) ?? [])])
  refuseIfAny(unknown)
  return result.data
}

/** Past Express's own `send`, which would find out anew for each answer what is the same for all of ours. */
function send(res: Response, { status, body, headers = {} }: Reply): void {
  res.statusCode = status
  res.setHeader('Cache-Control', 'no-store')
  for (const name of Object.keys(headers)) res.setHeader(name, headers[name] as string)
  if (body === undefined) return void res.end()
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  res.setHeader('Content-Length', Buffer.byteLength(text))
  res.end(text)
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
