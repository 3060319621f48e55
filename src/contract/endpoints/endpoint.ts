import { z } from 'zod'
import type { CredentialSide, Scope } from '../vocabulary/access.ts'
import type { ErrorCode } from '../vocabulary/codes.ts'

/**
 * One operation of /v1, declared once: its route, the checks before its handler, its entry in the OpenAPI document and its row in the
 * access matrix all follow from this declaration. `api/routes.ts` binds each operation to its handler.
 */
export interface Endpoint<
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodObject = z.ZodObject,
  Path extends string = string,
  Replies extends RepliesByStatus = RepliesByStatus,
  ShownBody extends z.ZodType = z.ZodType,
> {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** The path below /v1, with parameters as `:name`. */
  readonly path: Path
  /** The side whose credentials it accepts; `any` serves buyers and sellers, `everybody` operators too. */
  readonly side: CredentialSide | 'any' | 'everybody'
  /** Null if every valid credential may call it. */
  readonly scope: Scope | null
  readonly summary: string
  /**
   * One to four sentences: what it does and does not do, what a repeat does, the events. Callers and scope follow from the members above.
   */
  readonly description: string
  /** The parameters. The schema is strict, since an ignored parameter would seem to work. */
  readonly query: Query
  /** The body: NO_BODY if it takes none, BYTES if it takes unparsed bytes of any content type. */
  readonly body: Body
  /** The documented form of the body if its entries are checked one by one and `body` accepts any. */
  readonly shownBody?: ShownBody
  /** Request headers other than Authorization. */
  readonly headers?: z.ZodObject
  /** A member of the body that must name the caller; it is checked before the rest of the body (contract, Acting tenant). */
  readonly tenant?: string
  /**
   * What happens to members that the body's schema does not know (choices, Unknown members): by default they are ignored and `warnings`
   * name them; `refuse` answers 422, for bodies that replace something whole. Members of the operation's own reply may be sent back.
   */
  readonly unknownMembers?: 'refuse'
  /** Dotted paths of members that clients may send without effect under the contract; they cause no warning. */
  readonly ignored?: readonly string[]
  /** Whether sandboxes alone serve it. Elsewhere its path is as unknown as any other. */
  readonly sandbox?: true
  /** A limit in addition to the credential's own. */
  readonly rate?: 'orders' | 'previews' | 'feed'
  /** The most bytes of the body; 1 MiB by default. */
  readonly bodyLimit?: number
  /** Success replies by status, 204 with NO_CONTENT; the form of errors is the same for all operations. */
  readonly replies: Replies
  /** The content types of a reply that is a FILE, each with an example below docs/examples. */
  readonly files?: Readonly<Record<string, string>>
  /** Headers of success replies, by status, other than X-Request-Id. */
  readonly replyHeaders?: Readonly<Record<number, readonly ReplyHeader[]>>
  /** Error codes in addition to those that every endpoint may return. */
  readonly errors?: readonly ErrorCode[]
}

/** `name`: a verb and its object. It is the operation's id in the OpenAPI document, and so the method's name in generated clients. */
export type Named<E = Endpoint> = E & { readonly name: string }

type RepliesByStatus = Readonly<Record<number, z.ZodType>>

export type ReplyHeader = 'Content-Disposition' | 'ETag' | 'X-Idempotent-Replay'

export const NO_BODY = z.undefined()
export const NO_QUERY = z.strictObject({})
export const NO_CONTENT = z.never()
/** A text reply with its own content type instead of JSON. */
export const FILE = z.custom<string>()

/** A reply that is a buyer's file of any type. */
export const DOWNLOAD = {
  replies: { 200: FILE },
  files: { 'application/octet-stream': 'buysheet.csv' },
  replyHeaders: { 200: ['Content-Disposition'] },
} as const

/** A body that is passed on unread: its handler reads it. */
export interface ByteStream {
  /** Fails with MALFORMED_REQUEST if the client disconnects before the end. Bytes that the handler does not read are discarded. */
  readonly bytes: AsyncIterable<Uint8Array>
  /** The number of bytes, if the client has stated it. */
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

/** Declares an endpoint; by default it takes no `body` and no `query`. */
export function endpoint<
  Path extends string,
  Replies extends RepliesByStatus,
  Body extends z.ZodType = typeof NO_BODY,
  Query extends z.ZodObject = typeof NO_QUERY,
  ShownBody extends z.ZodType = Body,
>(declared: Declared<Body, Query, Path, Replies, ShownBody>): Endpoint<Body, Query, Path, Replies, ShownBody> {
  return { body: NO_BODY, query: NO_QUERY, ...declared } as Endpoint<Body, Query, Path, Replies, ShownBody>
}

/** Names the endpoints of a group after their keys. (A constraint that mentions Endpoint would widen the endpoints' schemas.) */
export function named<Group extends Readonly<Record<string, object>>>(group: Group) {
  const entries = Object.entries(group).map(([name, row]) => [name, { ...row, name }])
  return Object.fromEntries(entries) as { readonly [Name in keyof Group]: Named<Group[Name]> }
}

/** Returns true if an endpoint reads JSON. */
export function takesJson({ body }: Pick<Endpoint, 'body'>): boolean {
  return body !== NO_BODY && body !== BYTES
}

/** Returns true if no body means the same as an empty one: a command without required members. A PUT replaces, so it needs a body. */
export function bodyIsOptional(row: Pick<Endpoint, 'method' | 'body'>): boolean {
  return takesJson(row) && row.method === 'post' && row.body.safeParse({}).success
}
