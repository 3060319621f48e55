import createFetchClient, { type Client as FetchClient } from 'openapi-fetch'
import { MarketplaceError } from './errors.js'
import { type EventsOptions, type FeedItem, readEvents } from './events.js'
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
  /** Replaces the global fetch. */
  fetch?: typeof fetch
}

export interface Client {
  /** Every operation of /v1 by its path. Fails with MarketplaceError instead of returning an error. */
  readonly api: FetchClient<paths>
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

/** The time for the content of an upload, in milliseconds: the marketplace gives it as long. */
const UPLOAD_MS = 300_000

/** Opens a client of one tenant. */
export function openClient({ baseUrl, token, retry, fetch: send = (input, init) => fetch(input, init) }: ClientOptions): Client {
  const retries = { ...USUAL_RETRY, ...retry }
  const bearer = () => (typeof token === 'string' ? token : token())
  const api = createFetchClient<paths>({
    baseUrl: versioned(baseUrl),
    fetch: (request) => sendSafely(request, send, retries),
    querySerializer: { array: { style: 'form', explode: false } },
  })
  api.use({
    async onRequest({ request }) {
      request.headers.set('Authorization', `Bearer ${await bearer()}`)
      if (request.method === 'POST' && !request.headers.has('Idempotency-Key')) request.headers.set('Idempotency-Key', crypto.randomUUID())
      return request
    },
    async onResponse({ request, response }) {
      if (response.ok) return
      throw new MarketplaceError(`${request.method} ${new URL(request.url).pathname}`, response, await response.text())
    },
  })
  const order = async (order_id: string) => dataOf(await api.GET('/orders/{order_id}', { params: { path: { order_id } } }))
  return {
    api,
    credential: async () => dataOf(await api.GET('/credential')),
    async createOrder(body) {
      const created = dataOf(await api.POST('/orders', { body }))
      if (!('order_id' in created)) throw new Error('a create was answered as a dry run')
      return created
    },
    previewOrder: async (body) => dataOf(await api.POST('/orders/preview', { body })),
    order,
    orders: (query = {}) =>
      itemsOf(async (cursor) => {
        const { orders, next_cursor } = dataOf(await api.GET('/orders', { params: { query: { ...query, ...cursor } } }))
        return { items: orders, next_cursor }
      }),
    events: (options = {}) =>
      readEvents(async (query, signal) => dataOf(await api.GET('/events/feed', { params: { query }, ...(signal && { signal }) })), options),
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
        announce: async (body) => dataOf(await api.POST('/uploads', { body })),
        put: async ({ upload_id }, content) => {
          const url = `${versioned(baseUrl)}/uploads/${upload_id}/content`
          const headers = { Authorization: `Bearer ${await bearer()}`, 'Content-Type': 'application/octet-stream' }
          const isStream = content instanceof ReadableStream
          const request = new Request(url, { method: 'PUT', headers, body: content, ...(isStream && { duplex: 'half' }) } as RequestInit)
          const reply = await sendSafely(request, send, { ...retries, timeoutMs: UPLOAD_MS, ...(isStream && { attempts: 1 }) })
          if (!reply.ok) throw new MarketplaceError('the PUT of an upload', reply, await reply.text())
          return (await reply.json()) as UploadContent
        },
      }),
  }
}

/** Returns the body of a reply, which is one: a refusal has been thrown. */
export function dataOf<Data>({ data }: { data?: Data }): NonNullable<Data> {
  if (data === undefined || data === null) throw new Error('the reply has no body')
  return data
}

function versioned(baseUrl: string): string {
  const plain = baseUrl.replace(/\/+$/, '')
  return plain.endsWith('/v1') ? plain : `${plain}/v1`
}
