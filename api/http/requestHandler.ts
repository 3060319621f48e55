import type { Request, RequestHandler, Response } from 'express'
import { sourceNetwork } from '../../src/adapters/http/sourceNetwork.ts'
import { BYTES, bodyIsOptional, type Endpoint, takesJson } from '../../src/contract/endpoints/endpoint.ts'
import { ERRORS } from '../../src/contract/vocabulary/codes.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import { isStorableText } from '../../src/domain/strictJson.ts'
import type { Greet } from '../endpoints/sandbox/greetBuyers.ts'
import { simulatedFault } from '../endpoints/sandbox/simulate.ts'
import { type Authenticate, type Authenticated, authorize, sourceOf } from '../signIn/auth.ts'
import { scopedTo } from '../signIn/scopedTo.ts'
import { type BodyThreads, takesLong } from './bodyThreads.ts'
import type { Reservation } from './byteBudget.ts'
import { byteStream } from './byteStream.ts'
import type { Caller } from './call.ts'
import type { Deps } from './handler.ts'
import type { Limits, RateHeaders } from './rateLimit.ts'
import { readJson } from './readJson.ts'
import type { Reply } from './reply.ts'
import { rememberForLog, rememberForTenant } from './requestLog.ts'
import type { Route } from './route.ts'
import { sendDownload } from './sendDownload.ts'
import { sendReply } from './sendReply.ts'
import { sendStream } from './sendStream.ts'
import { traceRequest } from './traceRequest.ts'

const DEFAULT_BODY_LIMIT = 1024 * 1024

/** Checks credential, scope, path, query and body, in this order, so that strangers cannot make the service hold their bytes. */
export function requestHandler(route: Route, deps: Deps, { authenticate, limits, greet }: Admission): RequestHandler {
  const { endpoint, bindQuery, owned } = route
  const mayBeAbsent = bodyIsOptional(endpoint)
  const serve = async (req: Request, res: Response, caller: Authenticated, { trace, isCut }: Serving) => {
    authorize(caller, endpoint)
    deps.replyBytes.refuseExhausted(caller.entity)
    const params = checkedParams(req)
    const query = sentQuery(req)
    const answer = bindQuery(query)
    const { headers } = req
    const allowed = async () => authorize(await authenticate(req), endpoint)
    let ended: AbortSignal | undefined
    const disconnectSignal = () => (ended ??= closing(res, allowed))
    const send = async ({ rest, download, ...reply }: Reply) => {
      if (isCut) return void (await Promise.all([rest?.return(undefined), download?.destroy()]))
      if (ended?.reason instanceof Refusal) throw ended.reason
      if (download !== undefined) return sendDownload(res, reply, download)
      if (rest === undefined) return sendReply(res, reply, (bytes) => reserveReply(deps, endpoint, caller, bytes))
      await sendStream(res, { ...reply, rest }, { ...deps, tenant: caller.entity, disconnectSignal: disconnectSignal() })
    }
    const checked = { caller, params, headers, disconnectSignal, trace, raw: undefined }
    const held = deps.bodyBytes.reserve(caller.entity, 0)
    try {
      if (endpoint.body === BYTES) return await send(await answer(deps, { ...checked, stream: byteStream(req) }))
      if (!takesJson(endpoint) || (mayBeAbsent && !hasBody(req))) return await send(await answer(deps, checked))
      const admit = (bytes: number) => {
        limits.bytes(caller.entity, bytes)
        held.grow(bytes)
      }
      const raw = await readJson(req, endpoint.bodyLimit ?? DEFAULT_BODY_LIMIT, admit, deps.bodySpanMs)
      const threads = limits.hasWorkedMuch(caller.entity) || takesLong(raw) ? threadsFor(endpoint, deps) : undefined
      if (threads !== undefined) return await send(await threads.answer(endpoint.name, query, { ...checked, raw }))
      const began = performance.now()
      const answered = answer(deps, { ...checked, raw })
      limits.work(caller.entity, performance.now() - began)
      await send(await answered)
    } catch (error) {
      // Only tenants' endpoints have such a check.
      if (isBodyFault(error)) await owned?.(scopedTo(deps, caller.entity), caller as Caller, params)
      throw error
    } finally {
      held.release()
    }
  }
  return async (req, res) => {
    const caller = await authenticate(req).catch(async (error: unknown) => {
      if (isUnauthenticated(error)) await limits.stranger(sourceNetwork(sourceOf(req)))
      throw error
    })
    rememberForLog(req, res, caller.entity)
    rememberForTenant(res, { tenant: caller.entity, operation: endpoint.name, credential_id: caller.credential_id })
    const rate = isDryRun(req) ? 'previews' : endpoint.rate
    try {
      await limits.request(rate, caller.credential_id)
    } finally {
      const left = limits.left(rate, caller.credential_id)
      if (left !== undefined) tellLeft(res, left)
    }
    const isCut = await simulatedFault(deps, req)
    if (endpoint.method === 'get' && caller.side === 'buyer') await greet?.(caller)
    const served = traceRequest(req, res, endpoint, (trace) => serve(req, res, caller, { trace, isCut }))
    if (!isCut) return served
    await served.catch(() => undefined)
    req.socket.destroy()
  }
}

/** Returns whether a request only asks what it would do; whether its operation has dry runs is checked with its query. */
function isDryRun({ query }: Request): boolean {
  return query.dry_run === 'true'
}

function tellLeft(res: Response, left: RateHeaders): void {
  res.setHeader('RateLimit-Policy', left['RateLimit-Policy'])
  res.setHeader('RateLimit', left.RateLimit)
}

function isUnauthenticated(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'UNAUTHENTICATED'
}

/** The authentication and rate limits that every endpoint applies. */
export interface Admission {
  authenticate: Authenticate
  limits: Limits
  /** Called before a read of a buyer; undefined in production. */
  greet?: Greet | undefined
}

/** How a request is served. `isCut`: it is carried out and not answered. */
interface Serving {
  readonly trace?: string | undefined
  readonly isCut: boolean
}

/** Whether a fault is one of the body. A resource that is not the caller's is then reported as NOT_FOUND instead. */
function isBodyFault(error: unknown): boolean {
  return error instanceof Refusal && [400, 413, 415, 422].includes(ERRORS[error.code].status)
}

/** Returns the threads for an endpoint. Publishes may take half a minute, so they have threads of their own. */
function threadsFor({ bodyLimit }: Endpoint, { bodyThreads }: Deps): BodyThreads | undefined {
  return bodyLimit === undefined ? bodyThreads?.others : bodyThreads?.publishes
}

/** Reserves a read's reply, but only counts a command's: the command is already done, so its reply is sent in any case. */
function reserveReply({ replyBytes }: Deps, { method }: Endpoint, { entity }: Pick<Caller, 'entity'>, bytes: number): Reservation {
  return method === 'get' ? replyBytes.reserve(entity, bytes) : replyBytes.count(entity, bytes)
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function checkedParams(req: Request): Record<string, string> {
  const params = req.params as Record<string, string>
  for (const name in params) {
    if (!isStorableText(params[name] as string)) throw new Refusal('MALFORMED_REQUEST', 'The path holds U+0000 or a lone surrogate.')
  }
  return params
}

function sentQuery(req: Request): unknown {
  const sent = req.query as Record<string, string | string[]>
  for (const name in sent) {
    const value = sent[name] as string | string[]
    if (!isStorableText(name) || !(typeof value === 'string' ? isStorableText(value) : value.every(isStorableText)))
      throw new Refusal('MALFORMED_REQUEST', 'The query holds U+0000 or a lone surrogate.')
  }
  return { ...sent }
}

/**
 * Returns a signal that aborts when the reply is sent, when its reader has disconnected, or when the credential is no longer allowed.
 * In the last case the refusal is the abort reason.
 */
function closing(res: Response, allowed: () => Promise<void>): AbortSignal {
  const closed = new AbortController()
  const end = (refusal?: Refusal) => {
    clearInterval(checking)
    closed.abort(refusal)
  }
  const check = async () => {
    if (res.req.socket.destroyed) return end()
    await allowed().catch((error) => error instanceof Refusal && end(error))
  }
  const checking = setInterval(() => void check(), CHECK_MS)
  res.once('close', () => end())
  if (res.destroyed) end()
  return closed.signal
}

/** Shorter than 5 s together with the time for which a credential is remembered (choices, Identity). */
const CHECK_MS = 500
