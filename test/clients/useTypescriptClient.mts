// What an integrator writes: useTypescriptClient <base url> <token> <body file> <seller token> <a placed order>; prints what it saw as JSON.
import { readFile } from 'node:fs/promises'
import {
  type CreateOrder,
  eventId,
  isOrderEvent,
  MarketplaceError,
  moneyText,
  openClient,
  type Retry,
  verifyWebhook,
  WebhookFault,
} from '@order-marketplace/client'

const [baseUrl = '', token = '', file = '', sellerToken = '', placed = ''] = process.argv.slice(2)
const retry: Partial<Retry> = { attempts: 4, longestWaitMs: 200 }

/** Loses the reply of the first create, and answers the first read 503, as a network and a restart do. */
const lost = new Set<string>()
const sent: string[] = []
const flaky: typeof fetch = async (input, init) => {
  const request = new Request(input, init)
  const call = `${request.method} ${new URL(request.url).pathname.replace(/ord_\w+/, 'id')}`
  sent.push(call)
  if (call === 'GET /v1/orders/id' && !lost.has(call)) {
    lost.add(call)
    return new Response('{}', { status: 503, headers: { 'Retry-After': '0' } })
  }
  const reply = await fetch(request)
  if (call === 'POST /v1/orders' && !lost.has(call)) {
    lost.add(call)
    await reply.text()
    throw new TypeError('the connection was reset')
  }
  return reply
}

const marketplace = openClient({ baseUrl, token: async () => token, retry, fetch: flaky })
const order = JSON.parse(await readFile(file, 'utf8')) as CreateOrder
const { entity, side } = await marketplace.credential()
const { totals } = await marketplace.previewOrder(order)
const created = await marketplace.createOrder(order)
const read = await marketplace.order(created.order_id)
const listed: string[] = []
for await (const { order_id } of marketplace.orders({ status: ['submitted', 'validating'], limit: 2 })) listed.push(order_id)

/** Reads the feed in runs that each end after an event, as a program that crashes does. */
let checkpoint: string | undefined
const had: string[] = []
for (let more = true; more; ) {
  more = false
  for await (const item of marketplace.events({ waitSeconds: 0, ...(checkpoint !== undefined && { from: checkpoint }) })) {
    if (isOrderEvent(item.event)) had.push(eventId(item.event))
    checkpoint = item.checkpoint
    more = true
    break
  }
}

const refusal = await marketplace.createOrder({ ...order, seller: '', external_order_id: 'refused' }).catch((error: unknown) => error)
const { code, status, field, errors, requestId } = refusal as MarketplaceError

const body = new TextEncoder().encode('Week,Units\n')
const upload = await marketplace.upload({ filename: 'a.csv', format: 'csv', content: body })
const stream = new Blob(['Week,Units\n']).stream()
const streamed = await marketplace.upload({ filename: 'b.csv', format: 'csv', content: stream, size: body.length })

const seller = openClient({ baseUrl, token: sellerToken, retry })
const [line] = (await marketplace.order(placed)).line_items
const [missed, other] = line?.allocation ?? []
if (line === undefined || missed === undefined || other === undefined) throw new Error('the order books less than two dates')
const { unit_id, product_id, spot_length } = line
const noticed = await seller.noticeMakegood(placed, { for: [{ unit_id, date: missed.date, units: 1, reason_code: 'preempted' }] })
const offers = [{ product_id, date: other.date, units: 1, spot_length }]
const offered = await seller.reviseMakegood(placed, noticed.makegood_id, { action: 'offer', offers })
const answered = await marketplace.answerMakegood(placed, noticed.makegood_id, { action: 'accept', version: offered.version })
const makegoods: string[] = []
for await (const { makegood_id } of marketplace.makegoods({ status: 'accepted', limit: 1 })) makegoods.push(makegood_id)
for await (const { makegood_id } of seller.receivedMakegoods({ order_id: placed })) makegoods.push(makegood_id)

const secret = `whsec_${btoa('0123456789abcdef0123456789abcdef')}`
const signed = await signedBy(secret, '{"event_type":"webhook.test"}')
const event = await verifyWebhook<{ event_type: string }>(signed, secret)
const forged = await verifyWebhook({ ...signed, body: '{}' }, secret).catch((error: unknown) => error instanceof WebhookFault)

const saw = {
  ...{ entity, side, gross: moneyText(totals.gross, 2), created, status: read.status, listed, had, sent },
  refusal: {
    isTyped: refusal instanceof MarketplaceError,
    code,
    status,
    field,
    faults: errors.length,
    hasRequestId: requestId !== undefined,
  },
  makegoods: {
    statuses: [noticed.status, offered.status, answered.status],
    areListed: makegoods.every((id) => id === noticed.makegood_id) && makegoods.length === 2,
  },
  uploads: [upload.status, streamed.status],
  webhook: { type: event.event_type, forged },
}
process.stdout.write(`${JSON.stringify(saw)}\n`)

async function signedBy(whsec: string, text: string): Promise<{ headers: Record<string, string>; body: string }> {
  const t = Math.floor(Date.now() / 1_000)
  const raw = Uint8Array.from(atob(whsec.slice('whsec_'.length)), (letter) => letter.charCodeAt(0))
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${t}.${text}`)))
  const v1 = [...mac].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return { headers: { 'x-signature': `t=${t},v1=${'0'.repeat(64)},v1=${v1}` }, body: text }
}
