import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { ObjectStorage } from '../src/adapters/objectStorage.ts'
import type { Outbound } from '../src/adapters/outboundCall.ts'
import type { QueueBroker } from '../src/adapters/tenantQueue.ts'
import type { MailSettings, RateLimits, UploadLimits } from '../src/config.ts'
import type { UnknownMember } from '../src/contract/unknownMembers.ts'
import type { CredentialSide, Side } from '../src/contract/vocabulary/access.ts'
import type { Lanes } from '../src/pull/lanes.ts'
import type { Database } from '../src/store/connection/database.ts'
import type { FeedWatch } from '../src/store/delivery/feedWatch.ts'
import type { HoldBounds } from '../src/store/orders/openHold.ts'
import type { OrderLog } from '../src/store/orders/orderLog.ts'
import type { Credential } from '../src/store/tenants/findCredential.ts'
import type { RefusedSignIns } from '../src/store/tenants/refusedSignIns.ts'
import type { SecretBox } from '../src/store/tenants/secrets.ts'
import type { Actor } from '../src/store/tenants/securityEvents.ts'
import type { BodyThreads } from './bodyThreads.ts'
import type { ByteBudget } from './byteBudget.ts'
import type { OidcDeps } from './oidcSignIn.ts'
import type { PageTurns } from './pageTurns.ts'
import type { ReplySpool } from './sendStream.ts'

/** What handlers work with; made once in `api/main.ts`. */
export interface Deps {
  readonly db: Database
  readonly orders: OrderLog
  readonly feedWatch: FeedWatch
  /** Undefined: events are not delivered to message queues. */
  readonly broker: Pick<QueueBroker, 'declare'> | undefined
  readonly mode: 'sandbox' | 'production'
  /** Where browsers reach the service, if that is known. */
  readonly publicUrl: URL | undefined
  /** Whether tokens open sessions in production. */
  readonly tokenSessions: boolean
  /** Below which the Temporal UI shows a run by its id, if that is known. */
  readonly temporalRuns: string | undefined
  /** None: no mail is sent, and no agreement may ask for any. */
  readonly mail: MailSettings | undefined
  /** The folder of the sandbox's mailbox; none in production. */
  readonly mailbox: string | undefined
  readonly cursorKey: Buffer
  /** Undefined: requests are not counted. */
  readonly rateLimits?: RateLimits | undefined
  /** Bodies from their first byte until their request is answered. */
  readonly bodyBytes: ByteBudget
  /** Replies until the client has taken them. */
  readonly replyBytes: ByteBudget
  /** Where the rest of a reply is kept if its client reads too slowly. */
  readonly spool: ReplySpool
  /** Threads for bodies that take long to read; without them the request loop reads these too. */
  readonly bodyThreads?: Readonly<Record<'publishes' | 'others', BodyThreads>> | undefined
  /** Reads that may be large: one by one, and many in one statement. */
  readonly pages: PageTurns
  readonly batches: PageTurns
  /** What buyers upload. */
  readonly objects: ObjectStorage
  /** What sellers drop: `{seller}/{drop_id}/{filename}`. */
  readonly drops: ObjectStorage
  readonly uploads: UploadLimits
  readonly dropsPerDay: number
  readonly dropBytesPerSeller: number
  readonly productsPerSeller: number
  readonly secrets: SecretBox
  /** Whether URLs that lead to this machine may be named (architecture, Outbound calls). */
  readonly allowLoopbackTargets: boolean
  /** Proxies whose X-Forwarded-For says where a request came from; none: the peer's address does. */
  readonly trustedProxies?: readonly string[] | undefined
  readonly refusedSignIns: RefusedSignIns
  /** Sign-ins of people with one credential. The audit log keeps each. */
  readonly signInsPerDay: number
  /** Undefined: tokens of the service alone. */
  readonly oidc?: OidcDeps | undefined
  /** The client for calls to tenants' own servers, and the lanes of hold calls to sellers. */
  readonly outbound: Outbound
  readonly holdLanes: Lanes
  readonly holdBounds: HoldBounds
}

export type Caller<Of extends CredentialSide = Side> = Pick<
  Credential,
  'credential_id' | 'entity' | 'gate' | 'scopes' | 'expires_at' | 'session'
> & {
  readonly side: Of
  /** Where the request came from, for the audit log. */
  readonly source_ip: string | null
}

/** A caller as the audit log records it. */
export function actorOf({ entity, side, credential_id, session, source_ip }: Caller<CredentialSide>): Actor {
  return { entity, side, via: session === undefined ? 'api' : 'console', credential_id, person: session?.person ?? null, source_ip }
}

export interface Call<Body = unknown, Query = unknown, Of extends CredentialSide = Side> {
  readonly caller: Caller<Of>
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: Body
  /** The body's bytes as they came: byte-identical replay is decided on these. */
  readonly raw: Buffer
  /** As they came; an endpoint declares those that it reads. */
  readonly headers: IncomingHttpHeaders
  /** The members of the body that were ignored. They are added to the reply's `warnings`, unless that is text: then the handler does it. */
  readonly unknown: readonly UnknownMember[]
  /** Returns a signal that aborts when the reply is sent or its reader has disconnected. Created on first use. */
  readonly gone: () => AbortSignal
}

export interface Reply {
  readonly status: number
  /** An object to be sent as JSON, or JSON text, as a string or its bytes, that is sent as it is. */
  readonly body?: object | string | Uint8Array | undefined
  /** The text that follows `body`, streamed while it is read. The generator has already started; the sender of the reply ends it. */
  readonly rest?: AsyncGenerator<string> | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** A file that is the body, sent at the pace of its reader; `headers` say its type and length. */
  readonly download?: Readable | undefined
}

export type Handler<Body = unknown, Query = unknown, Of extends CredentialSide = Side> = (
  deps: Deps,
  call: Call<Body, Query, Of>,
) => Promise<Reply>
/** Of an endpoint of operators. */
export type OperatorHandler<Body = unknown, Query = unknown> = Handler<Body, Query, 'operator'>

export function ok(body: object | string, headers?: Record<string, string>): Reply {
  return headers === undefined ? { status: 200, body } : { status: 200, body, headers }
}

export function accepted(body: object | string): Reply {
  return { status: 202, body }
}
