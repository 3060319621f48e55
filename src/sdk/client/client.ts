import type { z } from 'zod'
import { type ByteStream, type Endpoint, FILE, type Named } from '../../contract/endpoints/endpoint.ts'
import { OPERATIONS } from '../../contract/endpoints/groups.ts'
import { ApiError, type RawReply } from './apiError.ts'
import { type Access, exchange, type SentBody } from './exchange.ts'

/** Offers every operation of /v1 as a method. Fails with ApiError if the API refuses, and with NoAnswerError if no reply comes. */
export type Client = { readonly [Name in Operation]: Call<(typeof OPERATIONS)[Name]> }
export type Operation = keyof typeof OPERATIONS

export interface Reply<Body> extends RawReply {
  body: Body
  /** The version in which an order was read. */
  etag: string | undefined
  /** Whether the API had received the same request before and repeats its first answer. */
  replayed: boolean
}

export function openClient(access: Access): Client {
  const methods = {} as Record<Operation, AnyCall>
  for (const name of Object.keys(OPERATIONS) as Operation[]) methods[name] = (input) => call(access, OPERATIONS[name], input)
  return methods as Client
}

type Call<E> = Record<never, never> extends Input<E> ? (input?: Input<E>) => Promise<ReplyOf<E>> : (input: Input<E>) => Promise<ReplyOf<E>>

/** The arguments of an operation; members that it does not take are left out. */
type Input<E> = PathInput<E> & QueryInput<E> & BodyInput<E> & { headers?: Readonly<Record<string, string>> }

type PathInput<E> = E extends { path: infer Path extends string }
  ? [Parameters<Path>] extends [never]
    ? unknown
    : { path: Readonly<Record<Parameters<Path>, string>> }
  : never
type Parameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Parameters<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** A value of a query: lists are sent comma-separated, numbers as text. */
type QueryValue = string | number | boolean | readonly string[]
type Values<Query> = { readonly [Name in keyof Query]: QueryValue }
type QueryInput<E> = E extends { query: z.ZodType<unknown, infer Sent> }
  ? [keyof Sent] extends [never]
    ? unknown
    : Record<never, never> extends Sent
      ? { query?: Values<Sent> }
      : { query: Values<Sent> }
  : never

/** The body of an operation: text is sent byte for byte, anything else as JSON. */
type BodyInput<E> = E extends { body: z.ZodType<infer Taken>; shownBody?: z.ZodType<unknown, infer Sent> }
  ? [Taken] extends [undefined]
    ? unknown
    : [Taken] extends [ByteStream]
      ? { body: SentBody; contentType: string }
      : { body: Sent | string }
  : never

/** The reply of an operation; of one that has a dry run, not that of the dry run, which is its 200. */
type ReplyOf<E> = E extends { replies: infer Replies } ? Reply<BodyOf<Replies[StatusOf<Replies>]>> : never
type StatusOf<Replies> = [Exclude<keyof Replies, 200>] extends [never] ? keyof Replies : Exclude<keyof Replies, 200>
type BodyOf<Schema> = Schema extends z.ZodType<infer Body> ? ([Body] extends [never] ? undefined : Body) : never

type AnyCall = (input?: AnyInput) => Promise<Reply<unknown>>

interface AnyInput {
  path?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, QueryValue | undefined>>
  body?: unknown
  contentType?: string
  headers?: Readonly<Record<string, string>>
}

async function call(access: Access, row: Named<Endpoint>, input: AnyInput = {}): Promise<Reply<unknown>> {
  const { body, contentType, headers = {} } = input
  const method = row.method.toUpperCase() as Uppercase<typeof row.method>
  const path = `${filled(row.path, input.path ?? {})}${queryOf(input.query ?? {})}`
  const sent = isSentAsItIs(body) || body === undefined ? body : JSON.stringify(body)
  const reply = await exchange(access, { method, path, headers, body: sent, contentType })
  if (reply.status >= 400) throw new ApiError(`${method} /v1${path}`, reply)
  return {
    ...reply,
    body: bodyOf(row, reply),
    etag: reply.headers.get('etag') ?? undefined,
    replayed: reply.headers.get('x-idempotent-replay') === 'true',
  }
}

/** Returns the text of a reply that is a FILE, and the parsed JSON of any other. */
function bodyOf({ replies }: Endpoint, { status, text }: RawReply): unknown {
  if (text === '') return undefined
  return replies[status] === FILE ? text : JSON.parse(text)
}

function isSentAsItIs(body: unknown): body is SentBody {
  return typeof body === 'string' || body instanceof Uint8Array || body instanceof Blob
}

function filled(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}

function queryOf(values: Readonly<Record<string, QueryValue | undefined>>): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) given.set(name, String(value))
  return given.size === 0 ? '' : `?${given}`
}
