import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import type { ObjectStorage } from '../src/adapters/objectStorage.ts'
import type { Outbound } from '../src/adapters/outboundCall.ts'
import type { QueueBroker } from '../src/adapters/tenantQueue.ts'
import type { RateLimits, UploadLimits } from '../src/config.ts'
import type { Fault } from '../src/contract/errorEnvelope.ts'
import type { UnknownMember } from '../src/contract/unknownMembers.ts'
import type { ErrorCode, Scope, Side } from '../src/contract/vocabulary.ts'
import type { Lanes } from '../src/pull/lanes.ts'
import type { Credential } from '../src/store/credentials.ts'
import type { Database } from '../src/store/database.ts'
import type { FeedWatch } from '../src/store/feedWatch.ts'
import type { HoldBounds } from '../src/store/openHold.ts'
import type { OrderLog } from '../src/store/orderLog.ts'
import type { SecretBox } from '../src/store/secrets.ts'
import type { Actor } from '../src/store/securityEvents.ts'
import type { BodyThreads } from './bodyThreads.ts'
import type { ByteBudget } from './byteBudget.ts'
import type { PageTurns } from './pageTurns.ts'
import type { RefusedSignIns } from './refusedSignIns.ts'
import type { ReplySpool } from './sendStream.ts'

/** What handlers work with; made once in `api/main.ts`. */
export interface Deps {
  readonly db: Database
  readonly orders: OrderLog
  readonly feedWatch: FeedWatch
  /** None: events are not delivered to message queues. */
  readonly broker: Pick<QueueBroker, 'declare'> | undefined
  readonly mode: 'sandbox' | 'production'
  readonly cursorKey: Buffer
  /** None: requests are not counted. */
  readonly rateLimits?: RateLimits | undefined
  /** Bodies from their first byte until their request is answered. */
  readonly bodyBytes: ByteBudget
  /** Replies until the client has taken them. */
  readonly replyBytes: ByteBudget
  /** Where the rest of a reply goes whose client reads too slowly. */
  readonly spool: ReplySpool
  /** Where bodies are read that take long; none: on the request loop. */
  readonly bodyThreads?: Readonly<Record<'publishes' | 'others', BodyThreads>> | undefined
  /** Reads of pages of the feed and of lists, and of replays. */
  readonly pages: PageTurns
  readonly replays: PageTurns
  readonly objects: ObjectStorage
  readonly uploads: UploadLimits
  readonly productsPerSeller: number
  readonly secrets: SecretBox
  /** Whether URLs that lead to this machine may be named (architecture, Outbound calls). */
  readonly allowLoopbackTargets: boolean
  /** Proxies whose X-Forwarded-For says where a request came from; none: the peer's address does. */
  readonly trustedProxies?: readonly string[] | undefined
  readonly refusedSignIns: RefusedSignIns
  /** The door to tenants' own servers, and the lanes in which sellers are asked to hold. */
  readonly outbound: Outbound
  readonly holdLanes: Lanes
  readonly holdBounds: HoldBounds
}

export type Caller = Pick<Credential, 'credential_id' | 'entity' | 'side' | 'gate' | 'scopes' | 'expires_at'> & {
  /** Where the request came from, for the audit log. */
  readonly source_ip: string | null
}

/** A caller as the audit log records it. */
export function actorOf({ entity, side, credential_id, source_ip }: Caller): Actor {
  return { entity, side, via: 'api', credential_id, source_ip }
}

export interface Call<Body = unknown, Query = unknown> {
  readonly caller: Caller
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: Body
  /** The body's bytes as they came: byte-identical replay is decided on these. */
  readonly raw: Buffer
  /** As they came; those that an endpoint reads stand in its row. */
  readonly headers: IncomingHttpHeaders
  /** The members of the body that were ignored. They are added to the reply's `warnings`, unless that is text: then the handler does it. */
  readonly unknown: readonly UnknownMember[]
  /** Aborted when the reply is sent or nobody is there any more to read it; made when it is asked for. */
  readonly gone: () => AbortSignal
}

/** A body that is handed on as it comes: nothing of it has been read when its handler is called. */
export interface ByteStream {
  /** Fails with MALFORMED_REQUEST when the client goes away before the end. What the handler leaves unread is thrown away. */
  readonly bytes: AsyncIterable<Uint8Array>
  /** Bytes to come, where the client has said so. */
  readonly length: number | undefined
}

export interface Reply {
  readonly status: number
  /** An object to be sent as JSON, or JSON text, as a string or its bytes, that is sent as it is. */
  readonly body?: object | string | Uint8Array | undefined
  /** What follows the body, which is text, as it is read: begun already, and ended by whoever sends the reply. */
  readonly rest?: AsyncGenerator<string> | undefined
  readonly headers?: Readonly<Record<string, string>>
}

export type Handler<Body = unknown, Query = unknown> = (deps: Deps, call: Call<Body, Query>) => Promise<Reply>

/** One row of the table in `routes.ts`: the route, its checks, its OpenAPI entry and its row in the access matrix. */
export interface Endpoint {
  /** A verb and what it acts on: the operation's id in the OpenAPI document, and so the method's name in generated clients. */
  readonly name: string
  readonly method: 'get' | 'post' | 'put' | 'delete'
  /** Below /v1; parameters as `:name`. */
  readonly path: string
  /** Whose credential it takes; `any` serves both sides. */
  readonly side: Side | 'any'
  readonly scope: Scope
  readonly summary: string
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** The body as it is documented, where entries of it are checked one by one and `body` takes any. */
  readonly shownBody?: z.ZodType
  /** Request headers beside Authorization. */
  readonly headers?: z.ZodObject
  /** The body is bytes of any content type; the handler's `body` is a ByteStream. */
  readonly stream?: true
  /** A member of the body that may only name the caller: looked at before the body itself (spec, Authentication 3). */
  readonly tenant?: string
  /**
   * What becomes of members that the body's schema does not know (choices, Unknown members): by default they are ignored and the reply's `warnings`
   * name them; `refuse` is 422, for what replaces something whole. The members of its own reply may be sent back.
   */
  readonly unknownMembers?: 'refuse'
  /** Dotted paths of members that the specification lets clients send in vain: no warning. */
  readonly ignored?: readonly string[]
  /** What else is wrong with a body that its schema refuses, so that one reply tells everything. */
  readonly review?: (deps: Deps, caller: Caller, sent: unknown) => Promise<Fault[]>
  /**
   * Fails with NOT_FOUND when what the path names is not the caller's. Asked when a body is refused: a handler finds it out for itself, and nothing
   * about a stranger's order may be learned from the faults of a body.
   */
  readonly owned?: (deps: Deps, caller: Caller, params: Call['params']) => Promise<unknown>
  /** The limit that holds for it beside the credential's own. */
  readonly rate?: 'orders' | 'feed'
  /** Bytes; default 1 MiB. */
  readonly bodyLimit?: number
  /** Success replies by status, 204 with NO_CONTENT; what errors look like is the same everywhere. */
  readonly replies: Readonly<Record<number, z.ZodType>>
  /** Headers of success replies, by status, beside X-Request-Id. */
  readonly replyHeaders?: Readonly<Record<number, readonly ReplyHeader[]>>
  /** Error codes beside those that every endpoint may answer. */
  readonly errors?: readonly ErrorCode[]
  readonly handler: Handler<never, never>
}

export type ReplyHeader = 'ETag' | 'X-Idempotent-Replay'

export const NO_CONTENT = z.never()

/** Ties a row's schemas to its handler's types, so that the table cannot pair a handler with another endpoint's body. */
export function endpoint<Body = undefined, Query = undefined>(
  row: Omit<Endpoint, 'handler' | 'body' | 'query'> & {
    handler: Handler<Body, Query>
    body?: z.ZodType<Body>
    query?: z.ZodObject & z.ZodType<Query>
  },
): Endpoint {
  return row as unknown as Endpoint
}

/** A row whose body is bytes, handed on as they come. */
export function streamEndpoint(
  row: Omit<Endpoint, 'handler' | 'body' | 'query' | 'stream'> & { handler: Handler<ByteStream, undefined> },
): Endpoint {
  return { ...row, stream: true } as unknown as Endpoint
}

export function ok(body: object | string, headers?: Record<string, string>): Reply {
  return headers === undefined ? { status: 200, body } : { status: 200, body, headers }
}

export function accepted(body: object | string): Reply {
  return { status: 202, body }
}

/** Where a command requires no member, no body says as much as an empty one. A PUT replaces, and is never taken for nothing. */
export function bodyIsOptional({ method, body }: Endpoint): boolean {
  return method === 'post' && body?.safeParse({}).success === true
}
