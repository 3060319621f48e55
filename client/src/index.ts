export {
  type AnswerMakegood,
  apiUrl,
  type Client,
  type ClientOptions,
  type CreateOrder,
  type Credential,
  dataOf,
  type ListedMakegood,
  type Makegood,
  type NoticeMakegood,
  type Order,
  type OrderCreated,
  type OrderListItem,
  type OrderPreview,
  openClient,
  type ReviseMakegood,
} from './client.js'
export { type Fault, MarketplaceError, NoAnswerError } from './errors.js'
export { type Event, type EventsOptions, eventId, type FeedItem, isOrderEvent, type OrderEvent } from './events.js'
export { moneyText } from './money.js'
export type { Operation, Operations, Reply, SentBody } from './operations.js'
export { itemsOf, type Page } from './pages.js'
export { pause, type Retry, USUAL_RETRY } from './retry.js'
export type { components, operations, paths } from './schema.js'
export { isParked, isTerminal, type Until } from './until.js'
export type { UploadContent, UploadInput } from './upload.js'
export { type SentHeaders, verifyWebhook, WebhookFault } from './webhook.js'
