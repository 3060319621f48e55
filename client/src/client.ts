import createFetchClient, { type Client as FetchClient } from 'openapi-fetch'
import { MarketplaceError } from './errors.js'
import { type EventsOptions, type FeedItem, readEvents } from './events.js'
import { type Operations, operationsOf, type SentBody, type SentOperation } from './operations.js'
import { itemsOf } from './pages.js'
import { type Retry, sendSafely, USUAL_RETRY } from './retry.js'
import type { components, paths } from './schema.js'
import { isParked, isTerminal, type Until, untilOrder } from './until.js'
import { type UploadContent, type UploadInput, uploadFile } from './upload.js'

type Schemas = components['schemas']
export type Order = Schemas['OrderSnapshot']
export type OrderListItem = Schemas['OrderListItem']
export type CreateOrder = Schemas['CreateOrder']
export type OrderCreated = Schemas['OrderCreated']
export type OrderPreview = Schemas['OrderPreview']
export type Credential = Schemas['CredentialRead']
export type Makegood = Schemas['Makegood']
export type ListedMakegood = Schemas['ListedMakegood']
export type NoticeMakegood = Schemas['NoticeMakegood']
export type ReviseMakegood = Schemas['ReviseMakegood']
export type AnswerMakegood = Schemas['AnswerMakegood']
type MakegoodsQuery = NonNullable<paths['/makegoods']['get']['parameters']['query']>
type OrdersQuery = NonNullable<paths['/orders']['get']['parameters']['query']>

export interface ClientOptions {
  /** The base URL of the marketplace, with or without `/v1`. */
  baseUrl: string
  /** The token, or what returns one for each request. */
  token: string | (() => string | Promise<string>)
  retry?: Partial<Retry>
  /** Ends every request, and every wait. */
  signal?: AbortSignal
  /** Replaces the global fetch. */
  fetch?: typeof fetch
}

export interface Client {
  /** Every operation of /v1 by its path. Fails with MarketplaceError instead of returning an error. */
  readonly api: FetchClient<paths>
  /** Every operation of /v1 by its name, with the status and the headers of its reply. */
  readonly operations: Operations
  credential(): Promise<Credential>
  /** Places an order. The same body, sent again, gets the first reply. */
  createOrder(body: CreateOrder): Promise<OrderCreated>
  /** Checks an order as a create would, and writes nothing. */
  previewOrder(body: CreateOrder): Promise<OrderPreview>
  order(orderId: string): Promise<Order>
  /** Every order that the filters select, newest first, page by page. */
  orders(query?: OrdersQuery): AsyncGenerator<OrderListItem>
  /** The feed, from a checkpoint on, and further as events happen. */
  events(options?: EventsOptions): AsyncGenerator<FeedItem>
  /** The order once it waits for its buyer or its seller, or has ended. */
  untilParked(orderId: string, until?: Until): Promise<Order>
  /** The order once it is placed, canceled, rejected or failed. */
  untilTerminal(orderId: string, until?: Until): Promise<Order>
  /** Every makegood of the buyer's orders that the filters select, newest first, page by page. */
  makegoods(query?: MakegoodsQuery): AsyncGenerator<ListedMakegood>
  /** The same of the orders that a seller has received. */
  receivedMakegoods(query?: MakegoodsQuery): AsyncGenerator<ListedMakegood>
  /** Says, as the seller, that spots of an order do not air, with other spots or without. */
  noticeMakegood(orderId: string, body: NoticeMakegood): Promise<Makegood>
  /** Offers other spots as the seller, or recalls a makegood. */
  reviseMakegood(orderId: string, makegoodId: string, body: ReviseMakegood): Promise<Makegood>
  /** Accepts, declines or asks for credit as the buyer. The first answer to a version wins. */
  answerMakegood(orderId: string, makegoodId: string, body: AnswerMakegood): Promise<Makegood>
  /** Announces a file and sends its bytes; a stream is sent once, anything else again if no reply comes. */
  upload(input: UploadInput): Promise<UploadContent>
}

/** The time for the content of a file, in milliseconds. */
const FILE_MS = 600_000

/** Opens a client of one tenant. */
export function openClient(options: ClientOptions): Client {
  const { send, sendFile } = senders(options)
  const api = createFetchClient<paths>({
    baseUrl: apiUrl(options.baseUrl),
    fetch: (request) => send(() => request.clone(), request.method),
    querySerializer: { array: { style: 'form', explode: false } },
  })
  const operations = operationsOf((sent) => sendFile(sent))
  const order = async (order_id: string) => (await operations.getOrder({ path: { order_id } })).body
  return {
    api,
    operations,
    credential: async () => (await operations.getCredential()).body,
    createOrder: async (body) => (await operations.createOrder({ body })).body,
    previewOrder: async (body) => (await operations.previewOrder({ body })).body,
    order,
    orders: (query = {}) =>
      itemsOf(async (cursor) => {
        const { orders, next_cursor } = (await operations.listOrders({ query: { ...query, ...cursor } })).body
        return { items: orders, next_cursor }
      }),
    events: (asked = {}) =>
      readEvents(async (query, signal) => (await operations.readFeed({ query, ...(signal && { signal }) })).body, asked),
    untilParked: (orderId, until) => untilOrder(() => order(orderId), isParked, until),
    untilTerminal: (orderId, until) => untilOrder(() => order(orderId), isTerminal, until),
    makegoods: (query = {}) =>
      itemsOf(async (cursor) => dataOf(await api.GET('/makegoods', { params: { query: { ...query, ...cursor } } }))),
    receivedMakegoods: (query = {}) =>
      itemsOf(async (cursor) => dataOf(await api.GET('/me/makegoods', { params: { query: { ...query, ...cursor } } }))),
    noticeMakegood: async (order_id, body) =>
      dataOf(await api.POST('/me/orders/{order_id}/makegoods', { params: { path: { order_id } }, body })),
    reviseMakegood: async (order_id, makegood_id, body) =>
      dataOf(await api.POST('/me/orders/{order_id}/makegoods/{makegood_id}', { params: { path: { order_id, makegood_id } }, body })),
    answerMakegood: async (order_id, makegood_id, body) =>
      dataOf(await api.POST('/orders/{order_id}/makegoods/{makegood_id}', { params: { path: { order_id, makegood_id } }, body })),
    upload: async (input) =>
      uploadFile(input, {
        announce: async (body) => (await operations.createUpload({ body })).body,
        put: async ({ upload_id }, body) => {
          const headers = { 'Content-Type': 'application/octet-stream' }
          const reply = await sendFile({ method: 'PUT', path: `/uploads/${upload_id}/content`, headers, body, signal: undefined })
          return (await reply.json()) as UploadContent
        },
      }),
  }
}

/** Returns what sends a request with the token and fails if it is refused: `send` as fetch has made it, `sendFile` from its parts. */
function senders({ baseUrl, token, retry, signal, fetch: call = (input, init) => fetch(input, init) }: ClientOptions) {
  const usual: Retry = { ...USUAL_RETRY, ...retry }
  const send = async (make: () => Request, method: string, retries = usual): Promise<Response> => {
    const bearer = await (typeof token === 'string' ? token : token())
    const key = method === 'POST' ? crypto.randomUUID() : undefined
    const authorized = () => {
      const request = make()
      request.headers.set('Authorization', `Bearer ${bearer}`)
      if (key !== undefined && !request.headers.has('Idempotency-Key')) request.headers.set('Idempotency-Key', key)
      return request
    }
    const response = await sendSafely(authorized, call, retries, signal)
    if (response.ok) return response
    const { pathname, search } = new URL(make().url)
    throw new MarketplaceError(`${method} ${pathname}${search}`, response, await response.text())
  }
  const sendFile = ({ method, path, headers, body, signal: own }: Sent): Promise<Response> => {
    const isStream = body instanceof ReadableStream
    const init = { method, headers, ...(own && { signal: own }), ...(body !== undefined && { body }), ...(isStream && { duplex: 'half' }) }
    // A stream can be read once.
    const once = isStream ? new Request(`${apiUrl(baseUrl)}${path}`, init as RequestInit) : undefined
    const isFile = isStream || body instanceof Blob
    const retries = { ...usual, ...(isFile && { timeoutMs: Math.max(usual.timeoutMs, FILE_MS) }), ...(isStream && { attempts: 1 }) }
    return send(() => once ?? new Request(`${apiUrl(baseUrl)}${path}`, init as RequestInit), method, retries)
  }
  return { send, sendFile }
}

type Sent = Omit<SentOperation, 'body'> & { body: SentBody | ReadableStream<Uint8Array> | undefined }

/** Returns the body of a reply, which is one: a refusal has been thrown. */
export function dataOf<Data>({ data }: { data?: Data }): NonNullable<Data> {
  if (data === undefined || data === null) throw new Error('the reply has no body')
  return data
}

/** Returns the base URL of the API with its version segment, which the caller may omit. */
export function apiUrl(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl)
  const segments = pathname.split('/').filter((segment) => segment !== '')
  if (!/^v\d+$/.test(segments.at(-1) ?? '')) segments.push('v1')
  return [origin, ...segments].join('/')
}
