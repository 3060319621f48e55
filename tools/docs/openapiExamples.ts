import { existsSync, readFileSync } from 'node:fs'

/** Bodies in docs/examples by the operation that accepts them: each file with a summary. */
const EXAMPLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  createOrder: {
    order: 'Five lines by day, week and month, one of them audience guaranteed',
    'negotiated-order': 'Two lines that the seller counters',
    'document-order': 'An order by a buysheet that was uploaded before',
    'proposal-order': 'A request for a proposal',
  },
  previewOrder: { order: 'The same body as a create' },
  confirmOrder: { confirm: 'Confirms a document order and resolves a line of it' },
  cancelOrder: { cancel: 'Cancels with a reason' },
  respondOrder: { respond: 'Accepts every open counter' },
  decideOrder: {
    decide: 'Approves the whole order',
    counter: 'Counters one line at another week and price',
    'decide-document': 'Approves a document order',
  },
  publishCatalog: { 'summit-catalog': 'A cable network', 'ktvl-10-catalog': 'A broadcast station' },
  publishRateCard: { 'summit-rate-card': 'A quarter of a cable network', 'ktvl-10-rate-card': 'A quarter of a broadcast station' },
  publishAvails: { 'summit-avails': 'Avails of a cable network', 'ktvl-10-avails': 'Avails of a broadcast station' },
  putMapping: { mapping: 'Reads the log of a traffic system' },
  registerDrop: { manifest: 'A drop of a catalog and avails, in two formats' },
  requestAvails: { 'avails-request': 'Asks for one week of a product' },
  grantAgreement: { agreement: 'A yearly agreement with a commitment, a credit limit and cancellation terms' },
  putBuyer: { buyer: 'Puts a buyer on the allowlist' },
  putCapabilities: { 'summit-capabilities': 'Takes proposals and documents too, counters, and keeps holds' },
  putSecret: { secret: "The secret that signs calls to the seller's own API" },
  putApprovalRules: { 'approval-rules': 'Holds one advertiser for a person, and approves small weekly orders' },
  createCreative: { creative: 'A spot of 30 seconds' },
  createUpload: { upload: 'A buysheet in CSV' },
  createSellerUpload: { 'notice-upload': 'The notice of a makegood in CSV' },
  createHold: { hold: 'Six units in one week, for an hour' },
  resendEdiMail: { 'resend-edi': 'Sends one document again' },
  resendReceivedEdiMail: { 'resend-edi': 'Sends one document again' },
  planOrder: { plan: 'A plan of one line at a published price' },
  markInvoicePaid: { 'mark-paid': 'A transfer on a day, with its reference' },
  answerVariance: { 'dispute-variance': 'Disputes a spot that aired out of its daypart' },
  settleVariance: { 'credit-variance': 'Credits the spot in full' },
  noticeMakegood: { 'makegood-notice': 'A spot of Monday is preempted, and one of Friday is offered for it' },
  reviseMakegood: { 'makegood-recall': 'Takes the makegood back' },
  answerMakegood: { 'makegood-accept': 'Accepts one of the offers' },
  issueInvoicesAsOf: { 'issue-as-of': 'Every month that has cleared by the middle of a year' },
  createWebhookEndpoint: { 'webhook-endpoint': 'Two event types, and the statuses that need attention' },
  changeWebhookEndpoint: { 'change-endpoint': 'Another URL, and every status' },
  rotateWebhookSecret: { 'rotate-secret': 'Replaces the secret, with a day for the receiver to follow' },
  testWebhookEndpoint: { 'test-event': 'An example of an order event' },
  makeTenant: { 'make-tenant': 'A buyer for one run of a test suite' },
  orderFromSeller: { 'sandbox-order': 'An order of one product, whose counters are accepted' },
  elapseDeadline: { elapse: 'The quote of a counter' },
  redeliverRange: { redeliver: 'What was dropped since a time' },
  putQueueDelivery: { queue: 'Order events only' },
}

/** Replies and events that `npm run docs:replies` recorded from the service; test/api/exampleReplies.test.ts checks them against it. */
export const REPLIES = new URL('../../docs/examples/replies/', import.meta.url)

/** The number of list entries to show; the files have all of them. */
const SHOWN = 3

/** Returns an operation's example bodies in OpenAPI form; undefined if docs/examples has none. */
export function requestExamples(operationId: string): Record<string, { summary: string; value: unknown }> | undefined {
  const files = EXAMPLES[operationId]
  if (files === undefined) return undefined
  return Object.fromEntries(Object.entries(files).map(([name, summary]) => [name, { summary, value: shortened(read(name)) }]))
}

/** Files in docs/examples by the operation that accepts them as bytes. */
const FILES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  putUploadContent: { 'buysheet.csv': 'A buysheet in CSV, as it is' },
  putSellerUploadContent: { 'makegood-notice.csv': 'The notice of a makegood in CSV, as it is' },
  putDropFile: { 'avails.csv': 'Avails in CSV, as they are' },
}

/** Returns examples of the bytes that an operation accepts, as text. */
export function fileExamples(operationId: string): Record<string, { summary: string; value: string }> {
  return Object.assign({}, ...Object.entries(FILES[operationId] ?? {}).map(([file, summary]) => fileExample(file, summary)))
}

/** Returns a file in docs/examples as an example that is named after it. */
export function fileExample(file: string, summary = 'A sample, as it is'): Record<string, { summary: string; value: string }> {
  const value = readFileSync(new URL(`../../docs/examples/${file}`, import.meta.url), 'utf8')
  return { [file.replace(/^.*\//, '').replace(/\..*/, '')]: { summary, value } }
}

/** Returns an operation's recorded reply in OpenAPI form; undefined if the status has no body. */
export function replyExamples(operationId: string, status: number): Recorded | undefined {
  return recorded(operationId, String(status))
}

/** Returns a recorded event of this type in OpenAPI form; undefined if the service does not send it yet. */
export function eventExamples(type: string): Recorded | undefined {
  return recorded('events', type)
}

type Recorded = { recorded: { value: unknown } }

function recorded(name: string, member: string): Recorded | undefined {
  const file = new URL(`${name}.json`, REPLIES)
  const value = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8'))[member] : undefined
  return value === undefined ? undefined : { recorded: { value } }
}

function read(name: string): object {
  return JSON.parse(readFileSync(new URL(`../../docs/examples/${name}.json`, import.meta.url), 'utf8'))
}

/** Returns a body with only the first entries of its lists. An order keeps all of its lines, since its totals count them. */
export function shortened(body: object): object {
  const members = Object.entries(body).map(([name, value]) => [
    name,
    Array.isArray(value) && name !== 'line_items' ? value.slice(0, SHOWN) : value,
  ])
  return Object.fromEntries(members)
}
