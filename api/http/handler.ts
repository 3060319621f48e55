import type { ObjectStorage } from '../../src/adapters/files/objectStorage/storage.ts'
import type { Outbound } from '../../src/adapters/http/outboundCall.ts'
import type { QueueBroker } from '../../src/adapters/queue/tenantQueue.ts'
import type { MailSettings, RateLimits, UploadLimits } from '../../src/config/index.ts'
import type { CredentialSide, Side } from '../../src/contract/vocabulary/access.ts'
import type { SellerPermits } from '../../src/operations/pull/sellerPermits.ts'
import type { Database } from '../../src/store/connection/database.ts'
import type { FeedWatch } from '../../src/store/delivery/feedWatch.ts'
import type { HoldBounds } from '../../src/store/orders/openHold.ts'
import type { OrderLog } from '../../src/store/orders/orderLog.ts'
import type { RefusedSignIns } from '../../src/store/tenants/refusedSignIns.ts'
import type { SecretBox } from '../../src/store/tenants/secrets.ts'
import type { OidcDeps } from '../signIn/oidcSignIn.ts'
import type { BodyThreads } from './bodyThreads.ts'
import type { ByteBudget } from './byteBudget.ts'
import type { Call } from './call.ts'
import type { PageTurns } from './pageTurns.ts'
import type { RefusedLog } from './refusedLog.ts'
import type { Reply } from './reply.ts'
import type { ReplySpool } from './sendStream.ts'

/** The dependencies of handlers, created once in `api/main.ts`. */
export interface Deps {
  readonly db: Database
  readonly orders: OrderLog
  readonly feedWatch: FeedWatch
  /** Undefined if events are not delivered to message queues. */
  readonly broker: Pick<QueueBroker, 'declare'> | undefined
  readonly mode: 'sandbox' | 'production'
  /** The address at which browsers reach the service, if known. */
  readonly publicUrl: URL | undefined
  /** Whether tokens open sessions in production. */
  readonly tokenSessions: boolean
  /** The address below which the Temporal UI shows a run by its id, if known. */
  readonly temporalRuns: string | undefined
  /** Undefined if no mail is sent, so that no agreement may ask for any. */
  readonly mail: MailSettings | undefined
  /** The folder of the sandbox's mailbox; undefined in production. */
  readonly mailbox: string | undefined
  readonly cursorKey: Buffer
  /** Undefined if requests are not counted. */
  readonly rateLimits?: RateLimits | undefined
  /** Counts bodies from their first byte until their request is answered. */
  readonly bodyBytes: ByteBudget
  /** The period over which the speed of a body is measured, in milliseconds; default five seconds. */
  readonly bodySpanMs?: number
  /** Counts replies until the client has received them. */
  readonly replyBytes: ByteBudget
  /** The files that keep the rest of a reply if its client reads too slowly. */
  readonly spool: ReplySpool
  /** Threads for bodies that take long to read; without threads, the request loop reads these too. */
  readonly bodyThreads?: Readonly<Record<'publishes' | 'others', BodyThreads>> | undefined
  /** Turns for reads that may be large: one by one, or many in one statement. */
  readonly pages: PageTurns
  readonly batches: PageTurns
  /** The files that buyers upload. */
  readonly objects: ObjectStorage
  /** The files that sellers drop: `{seller}/{drop_id}/{filename}`. */
  readonly drops: ObjectStorage
  readonly uploads: UploadLimits
  readonly dropsPerDay: number
  readonly dropBytesPerSeller: number
  readonly productsPerSeller: number
  readonly secrets: SecretBox
  /** Whether tenants may name URLs that lead to this machine (architecture, Outbound calls). */
  readonly allowLoopbackTargets: boolean
  /** Proxies whose X-Forwarded-For states the origin of a request; without any, the peer's address is the origin. */
  readonly trustedProxies?: readonly string[] | undefined
  readonly refusedSignIns: RefusedSignIns
  /** The log of refused requests that tenants read. */
  readonly refusedRequests: RefusedLog
  /** The most sign-ins of people per day with one credential, since the audit log keeps each. */
  readonly signInsPerDay: number
  /** Undefined if only tokens of the service are accepted. */
  readonly oidc?: OidcDeps | undefined
  /** The client for calls to tenants' own servers, and the permits of hold calls to sellers. */
  readonly outbound: Outbound
  readonly holdPermits: SellerPermits
  readonly holdBounds: HoldBounds
}

export type Handler<Body = unknown, Query = unknown, Of extends CredentialSide = Side> = (
  deps: Deps,
  call: Call<Body, Query, Of>,
) => Promise<Reply>
/** A handler of an endpoint for operators. */
export type OperatorHandler<Body = unknown, Query = unknown> = Handler<Body, Query, 'operator'>
