import { z } from 'zod'
import type { CredentialSide, Scope } from '../vocabulary/access.ts'
import type { ErrorCode } from '../vocabulary/codes.ts'

/**
 * One operation of /v1, declared once: its route, the checks before its handler, its entry in the OpenAPI document and its row in the access matrix
 * all follow from this. `api/routes.ts` binds each to its handler.
 */
export interface Endpoint<
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodObject = z.ZodObject,
  Path extends string = string,
  Replies extends RepliesByStatus = RepliesByStatus,
  ShownBody extends z.ZodType = z.ZodType,
> {
  readonly method: 'get' | 'post' | 'put' | 'delete'
  /** Below /v1; parameters as `:name`. */
  readonly path: Path
  /** Whose credential it takes; `any` serves buyers and sellers. */
  readonly side: CredentialSide | 'any'
  readonly scope: Scope
  readonly summary: string
  /**
   * One to four sentences: what it does and does not do, what a repeat does, which events follow. Callers and scope are added from the members above.
   */
  readonly description: string
  /** Strict: a parameter that is ignored would seem to work. */
  readonly query: Query
  /** NO_BODY where it takes none, BYTES where it takes bytes of any content type, as they come. */
  readonly body: Body
  /** The body as it is documented, where entries of it are checked one by one and `body` takes any. */
  readonly shownBody?: ShownBody
  /** Request headers other than Authorization. */
  readonly headers?: z.ZodObject
  /** A member of the body that may only name the caller; it is checked before the rest of the body (spec, Authentication 3). */
  readonly tenant?: string
  /**
   * What becomes of members that the body's schema does not know (choices, Unknown members): by default they are ignored and the reply's `warnings`
   * name them; `refuse` is 422, for what replaces something whole. The members of its own reply may be sent back.
   */
  readonly unknownMembers?: 'refuse'
  /** Dotted paths of members that the specification lets clients send without effect: no warning. */
  readonly ignored?: readonly string[]
  /** The limit that holds for it in addition to the credential's own. */
  readonly rate?: 'orders' | 'feed'
  /** Bytes; default 1 MiB. */
  readonly bodyLimit?: number
  /** Success replies by status, 204 with NO_CONTENT; what errors look like is the same everywhere. */
  readonly replies: Replies
  /** Of a reply that is a FILE: its content types, each with an example below docs/examples. */
  readonly files?: Readonly<Record<string, string>>
  /** Headers of success replies, by status, other than X-Request-Id. */
  readonly replyHeaders?: Readonly<Record<number, readonly ReplyHeader[]>>
  /** Error codes in addition to those that every endpoint may answer. */
  readonly errors?: readonly ErrorCode[]
}

/** `name`: a verb and what it acts on. It is the operation's id in the OpenAPI document, and so the method's name in generated clients. */
export type Named<E = Endpoint> = E & { readonly name: string }

type RepliesByStatus = Readonly<Record<number, z.ZodType>>

export type ReplyHeader = 'Content-Disposition' | 'ETag' | 'X-Idempotent-Replay'

export const NO_BODY = z.undefined()
export const NO_QUERY = z.strictObject({})
export const NO_CONTENT = z.never()
/** A reply that is text with its own content type, not JSON. */
export const FILE = z.custom<string>()

/** A reply that is a file of a buyer, whatever its type. */
export const DOWNLOAD = {
  replies: { 200: FILE },
  files: { 'application/octet-stream': 'buysheet.csv' },
  replyHeaders: { 200: ['Content-Disposition'] },
} as const

/** A body that is handed on as it comes: nothing of it has been read when its handler is called. */
export interface ByteStream {
  /** Fails with MALFORMED_REQUEST when the client goes away before the end. What the handler leaves unread is thrown away. */
  readonly bytes: AsyncIterable<Uint8Array>
  /** Bytes to come, where the client has said so. */
  readonly length: number | undefined
}

export const BYTES = z.custom<ByteStream>()

type Declared<
  Body extends z.ZodType,
  Query extends z.ZodObject,
  Path extends string,
  Replies extends RepliesByStatus,
  ShownBody extends z.ZodType,
> = Omit<Endpoint, 'body' | 'query' | 'path' | 'replies' | 'shownBody'> & {
  body?: Body
  query?: Query
  path: Path
  replies: Replies
  shownBody?: ShownBody
}

/** Declares an endpoint; without `body` it takes none, without `query` it takes no parameter. */
export function endpoint<
  Path extends string,
  Replies extends RepliesByStatus,
  Body extends z.ZodType = typeof NO_BODY,
  Query extends z.ZodObject = typeof NO_QUERY,
  ShownBody extends z.ZodType = Body,
>(declared: Declared<Body, Query, Path, Replies, ShownBody>): Endpoint<Body, Query, Path, Replies, ShownBody> {
  return { body: NO_BODY, query: NO_QUERY, ...declared } as Endpoint<Body, Query, Path, Replies, ShownBody>
}

/** Names the endpoints of a group after their keys. (A constraint that mentions Endpoint would widen the schemas of those inside.) */
export function named<Group extends Readonly<Record<string, object>>>(group: Group) {
  const entries = Object.entries(group).map(([name, row]) => [name, { ...row, name }])
  return Object.fromEntries(entries) as { readonly [Name in keyof Group]: Named<Group[Name]> }
}

/** Whether an endpoint reads JSON. */
export function takesJson({ body }: Pick<Endpoint, 'body'>): boolean {
  return body !== NO_BODY && body !== BYTES
}

/** Where a command requires no member, no body says as much as an empty one. A PUT replaces, and is never taken for nothing. */
export function bodyIsOptional(row: Pick<Endpoint, 'method' | 'body'>): boolean {
  return takesJson(row) && row.method === 'post' && row.body.safeParse({}).success
}
