import { OPERATIONS } from './operationTable.js'
import type { operations } from './schema.js'

/** Every operation of /v1 as a method. Fails with MarketplaceError if it is refused, and with NoAnswerError if no reply comes. */
export type Operations = { readonly [Name in keyof typeof OPERATIONS]: Call<operations[Name]> }
export type Operation = keyof Operations

export interface Reply<Body> {
  status: number
  headers: Headers
  /** The body as received. */
  text: string
  /** The parsed body if it is JSON, else its text; undefined if there is none. */
  body: Body
  /** The version in which a resource was read. */
  etag: string | undefined
  /** Whether the marketplace had received the same request before and repeats its first answer. */
  replayed: boolean
}

/** A request below /v1, ready to be sent. */
export interface SentOperation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path with its query. */
  path: string
  headers: Readonly<Record<string, string>>
  body: SentBody | undefined
  signal: AbortSignal | undefined
}

/** A body that is sent byte for byte. A Blob of a file is read from the disk while it is sent, and again for a further attempt. */
export type SentBody = string | Uint8Array<ArrayBuffer> | Blob

type Call<O> = Record<never, never> extends Input<O> ? (input?: Input<O>) => Promise<ReplyOf<O>> : (input: Input<O>) => Promise<ReplyOf<O>>

/** The arguments of an operation; members that it does not take are left out. */
type Input<O> = PathInput<O> & QueryInput<O> & BodyInput<O> & { headers?: Readonly<Record<string, string>>; signal?: AbortSignal }

type PathInput<O> = O extends { parameters: { path: infer Path } } ? { path: Path } : unknown
type QueryInput<O> = O extends { parameters: { query: infer Query } }
  ? { query: Values<Query> }
  : O extends { parameters: { query?: infer Query } }
    ? [NonNullable<Query>] extends [never]
      ? unknown
      : { query?: Values<NonNullable<Query>> }
    : unknown

/** The values of a query: lists are sent comma-separated, and may be given as such a text. */
type Values<Query> = { [Name in keyof Query]: Query[Name] | Listed<NonNullable<Query[Name]>> }
type Listed<Value> = Value extends readonly (infer Each)[] ? readonly Each[] | string : string extends Value ? readonly string[] : never

/** The body of an operation: text is sent byte for byte, anything else as JSON. */
type BodyInput<O> = O extends { requestBody: { content: infer Content } }
  ? { body: BodyOf<Content>; contentType?: string }
  : O extends { requestBody?: { content: infer Content } }
    ? { body?: BodyOf<Content> }
    : unknown
type BodyOf<Content> = Content extends { 'application/json': infer Body } ? Body | string : SentBody

/** The reply of an operation; of one that has a dry run, not that of the dry run, which is its 200. */
type ReplyOf<O> = O extends { responses: infer Replies } ? Reply<Contents<Replies[Success<keyof Replies>]>> : never
type Success<Status> = [Extract<Status, 201 | 202 | 204>] extends [never] ? Extract<Status, 200> : Extract<Status, 201 | 202 | 204>
type Contents<Of> = Of extends { content: infer Content } ? (Content extends { 'application/json': infer Body } ? Body : string) : undefined

interface AnyInput {
  path?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, unknown>>
  body?: unknown
  contentType?: string
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal
}

/** Makes the methods of all operations; `send` fails if a request is refused. */
export function operationsOf(send: (request: SentOperation) => Promise<Response>): Operations {
  const methods: Record<string, (input?: AnyInput) => Promise<Reply<unknown>>> = {}
  for (const [name, [method, path]] of Object.entries(OPERATIONS))
    methods[name] = async (input = {}) => replyOf(await send(sentOperation(method, path, input)))
  return methods as unknown as Operations
}

function sentOperation(method: SentOperation['method'], path: string, input: AnyInput): SentOperation {
  const { body: given, contentType = 'application/json', headers = {}, signal } = input
  const body = given === undefined || isSentAsItIs(given) ? given : JSON.stringify(given)
  return {
    method,
    path: `${filled(path, input.path ?? {})}${queryOf(input.query ?? {})}`,
    headers: { ...(body !== undefined && { 'Content-Type': contentType }), ...headers },
    body,
    signal,
  }
}

async function replyOf(response: Response): Promise<Reply<unknown>> {
  const { status, headers } = response
  const text = await response.text()
  const isJson = headers.get('Content-Type')?.startsWith('application/json') === true
  return {
    status,
    headers,
    text,
    body: text === '' ? undefined : isJson ? JSON.parse(text) : text,
    etag: headers.get('ETag') ?? undefined,
    replayed: headers.get('X-Idempotent-Replay') === 'true',
  }
}

function isSentAsItIs(body: unknown): body is SentBody {
  return typeof body === 'string' || body instanceof Uint8Array || body instanceof Blob
}

function filled(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}

function queryOf(values: Readonly<Record<string, unknown>>): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) given.set(name, String(value))
  return given.size === 0 ? '' : `?${given}`
}
