import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signatureHeaders } from '../../adapters/http/requestSignature.ts'
import type { OrderSnapshot } from '../../contract/order.ts'
import type { AvailabilityRequest } from '../../contract/pullApi.ts'
import { weeksOfPeriod } from '../../domain/calendar.ts'
import type { Operations } from '../../sdk/ownClient.ts'
import { type Habit, habitOf } from './habits.ts'
import { repricedCard } from './inventory.ts'
import type { OwnApi } from './openShop.ts'
import { decisionOn } from './sellerMoves.ts'

/** The own APIs of the sandbox's sellers (docs/pull-openapi.json), on a port of this machine. */
export interface PullServer extends OwnApi {
  close(): Promise<void>
}

/** Answers a call of a seller's API. Undefined: it never answers. */
type Answer = { readonly status: number; readonly body?: unknown } | undefined

/** The most bytes of a call. */
const MAX_BYTES = 1024 * 1024

/** Serves the own APIs of the sandbox's sellers, each below its name. `clientOf` gives a seller's access to /v1. */
export async function servePulls(clientOf: (seller: string) => Operations): Promise<PullServer> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const server = createServer((req, res) => void serve(req, res).catch(() => res.destroy()))
  const serve = async (req: IncomingMessage, res: ServerResponse) => {
    const body = await read(req)
    const answer = isSigned(req, body, secret) ? await answerTo(req, body, clientOf) : { status: 401 }
    if (answer === undefined) return
    const text = answer.body === undefined ? '' : typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
    res.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
  }
  server.unref()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { base_url: `http://127.0.0.1:${port}`, secret, close: () => closed(server) }
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

async function read(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw new Error('too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function isSigned({ headers }: IncomingMessage, body: string, secret: string): boolean {
  const timestamp = Number(headers['webhook-timestamp'])
  const expected = signatureHeaders({ id: String(headers['webhook-id']), body, timestamp, secrets: [secret] })['x-signature'] ?? ''
  const sent = String(headers['x-signature'])
  return sent.length === expected.length && timingSafeEqual(Buffer.from(sent), Buffer.from(expected))
}

async function answerTo({ method, url = '' }: IncomingMessage, body: string, clientOf: (seller: string) => Operations): Promise<Answer> {
  const [, seller = '', what = '', id] = url.split('/')
  if (what === 'holds') return { status: method === 'DELETE' ? 204 : 201 }
  if (method === 'POST' && what === 'availability') return availability(seller, JSON.parse(body) as AvailabilityRequest, clientOf(seller))
  if (method === 'POST' && what === 'decisions') return decision(JSON.parse(body) as OrderSnapshot, 'first')
  if (method === 'GET' && what === 'decisions' && id !== undefined)
    return decision((await clientOf(seller).getReceivedOrder({ path: { order_id: id } })).body, 'again')
  return { status: 404 }
}

/** Says of each line whether there is inventory, and first moves the prices of what is repriced. */
async function availability(seller: string, { lines }: AvailabilityRequest, client: Operations): Promise<Answer> {
  for (const { product_id, period } of lines) {
    const habit = habitOf(seller, product_id)
    if (habit?.live === 'repriced') await reprice(client, habit, weeksOfPeriod(period.grain, period.start))
  }
  const stateOf = (product_id: string) => (habitOf(seller, product_id)?.live === 'sold_out' ? 'unavailable' : 'available')
  return {
    status: 200,
    body: { lines: lines.map(({ unit_id, product_id }) => ({ unit_id, state: stateOf(product_id), basis: 'measured' })) },
  }
}

async function reprice(client: Operations, habit: Habit, weeks: readonly string[]): Promise<void> {
  const { product_id } = habit
  const query = { product_id, weeks: `${weeks[0]}..${weeks.at(-1)}` }
  const { rates } = (await client.getRates({ query })).body
  const highest = Math.max(...rates.map(({ gross_rate_unit = 0 }) => gross_rate_unit))
  await client.publishRateCard({ body: JSON.stringify(repricedCard(habit, weeks, highest + 1, Date.now())) })
}

/** The worst habit of an order's lines answers for all of them. */
const WORST_FIRST = ['hangs', '500', 'garbage', 'later', 'decides'] as const

function decision(order: OrderSnapshot, time: 'first' | 'again'): Answer {
  const pulls = order.line_items.map(({ product_id }) => habitOf(order.seller, product_id)?.pull ?? 'decides')
  const worst = WORST_FIRST.find((pull) => pulls.includes(pull)) ?? 'decides'
  if (worst === 'hangs') return undefined
  if (worst === '500') return { status: 500 }
  if (worst === 'garbage') return { status: 200, body: '{"decision":' }
  if (worst === 'later' && time === 'first') return { status: 202 }
  const { last_seq: _seen, ...body } = decisionOn(order, new Date().toISOString())
  return { status: 200, body }
}
