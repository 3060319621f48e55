// A seller's own API, as the marketplace calls it (docs/pull-openapi.json): plain Node, nothing installed, nothing kept on disk. Start here.
//
//   SECRET=whsec_... PORT=9090 node docs/examples/pull-seller/server.mjs
//
// Orders up to APPROVE_UP_TO (gross) are approved at once; larger ones are answered "later" and approved after DECIDE_AFTER_S, as a person would.
// Products named in SOLD_OUT (comma-separated) have no inventory and cannot be held.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const { SECRET = '', PORT = '9090', APPROVE_UP_TO = '50000', DECIDE_AFTER_S = '5', SOLD_OUT = '' } = process.env
if (SECRET === '') throw new Error('SECRET must be the value that you gave to PUT /v1/me/secrets/{name}.')
const soldOut = new Set(SOLD_OUT.split(','))

// A real server keeps these in its database: what was asked, what was decided, what is held.
const orders = new Map()
const holds = new Map()

const ROUTES = [
  ['POST', /^\/decisions$/, askedToDecide],
  ['GET', /^\/decisions\/([^/]+)$/, polled],
  ['POST', /^\/availability$/, availability],
  ['POST', /^\/holds$/, hold],
  ['DELETE', /^\/holds\/([^/]+)$/, release],
]

/** An order waits for us. The same order may be asked about again, whenever an answer of ours was lost: it is decided once. */
function askedToDecide(order) {
  if (!orders.has(order.order_id)) orders.set(order.order_id, { decideAt: decideAt(order), decision: decide(order) })
  return answerFor(order.order_id)
}

/** Asked again, because we said "later". */
function polled(_body, orderId) {
  return orders.has(orderId) ? answerFor(orderId) : { status: 404 }
}

function answerFor(orderId) {
  const { decideAt, decision } = orders.get(orderId)
  return Date.now() >= decideAt ? { status: 200, body: decision } : { status: 202 }
}

function decideAt({ totals }) {
  return totals.gross <= Number(APPROVE_UP_TO) ? 0 : Date.now() + Number(DECIDE_AFTER_S) * 1_000
}

/** The body of POST /v1/me/orders/{order_id}/decide: here, everything but what is sold out. */
function decide({ order_id, line_items }) {
  const units = line_items.filter(({ product_id }) => soldOut.has(product_id)).map(({ unit_id }) => ({ unit_id, action: 'reject' }))
  const none = units.length === line_items.length
  return {
    decision: none ? 'reject' : 'approve',
    actor: 'pull-seller example',
    units,
    ...(none ? { reason: 'sold out' } : { seller_order_id: `EX-${order_id.slice(-8)}` }),
  }
}

function availability({ lines }) {
  const stateOf = ({ product_id }) => (soldOut.has(product_id) ? 'unavailable' : 'available')
  return { status: 200, body: { lines: lines.map((line) => ({ unit_id: line.unit_id, state: stateOf(line), basis: 'measured' })) } }
}

/** Any 2xx holds until expires_at or DELETE, a 4xx refuses. */
function hold({ hold_id, lines, expires_at }) {
  if (lines.some(({ product_id }) => soldOut.has(product_id))) return { status: 409, body: { reason: 'sold out' } }
  holds.set(hold_id, { lines, expires_at })
  return { status: 201, body: { hold_id } }
}

/** The hold was released, or its time is over. One that is gone already is gone. */
function release(_body, holdId) {
  holds.delete(holdId)
  return { status: 204 }
}

/**
 * X-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">, with the secret's bytes as the key (after whsec_: in base64). While a secret is
 * replaced there may be two v1. What is older than five minutes is a replay.
 */
function isSigned(headers, body) {
  const parts = String(headers['x-signature'])
    .split(',')
    .map((part) => part.split('='))
  const t = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d+$/.test(t) || Math.abs(Date.now() / 1_000 - Number(t)) > 300) return false
  const key = SECRET.startsWith('whsec_') ? Buffer.from(SECRET.slice(6), 'base64') : Buffer.from(SECRET)
  const expected = createHmac('sha256', key).update(`${t}.`).update(body).digest()
  return parts.some(([name, value = '']) => {
    const sent = Buffer.from(value, 'hex')
    return name === 'v1' && sent.length === expected.length && timingSafeEqual(sent, expected)
  })
}

const server = createServer(async (req, res) => {
  const chunks = []
  for await (const chunk of req) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const { status, body } = handle(req, bytes)
  console.log(`${new Date().toISOString()} ${req.method} ${req.url} ${status}`)
  res.writeHead(status, body === undefined ? {} : { 'content-type': 'application/json' })
  res.end(body === undefined ? '' : JSON.stringify(body))
})

function handle(req, bytes) {
  if (!isSigned(req.headers, bytes)) return { status: 401, body: { reason: 'the signature is not ours' } }
  for (const [method, path, answer] of ROUTES) {
    const match = req.method === method && path.exec(req.url)
    if (!match) continue
    try {
      return answer(bytes.length > 0 ? JSON.parse(bytes) : undefined, match[1])
    } catch {
      return { status: 400, body: { reason: 'the body is not what was agreed' } }
    }
  }
  return { status: 404 }
}

server.listen(Number(PORT), '127.0.0.1', () => console.log(`listening http://127.0.0.1:${server.address().port}`))
