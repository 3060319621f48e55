import type { WorkflowClient } from '@temporalio/client'
import type { Operations } from '../../src/sdk/ownClient.ts'
import { runIdOf } from '../../worker/runs.ts'
import { ORDER_ATTRIBUTES } from '../../workflows/searchAttributes.ts'
import { startedRun } from '../support/engines/orderRun.ts'
import { until } from '../support/until.ts'
import { type Market, orderBody } from './market.ts'

/** A buyer, and sellers of each way to decide. */
export interface Shops {
  readonly workflow: WorkflowClient
  readonly buyer: Operations
  /** Decides by its token, and has an agreement under which orders are mailed. */
  readonly api: Shop
  /** Has an API of its own, for live availability and for decisions. */
  readonly pull: Shop
  readonly rules: Shop
  readonly agreement_id: string
}

export interface Shop {
  readonly seller: Operations
  readonly market: Market
}

/** An order that a command has brought to its end, and the story that the history of its run must tell. */
export interface Walked {
  readonly orderId: string
  readonly story: readonly string[]
}

/** The commands of buyer and sellers with which an order walks, and the waits between them. */
export interface Walk {
  readonly shops: Shops
  /** Creates an order of one line; members of `more` that are undefined are left out. */
  placed(shop: Shop, more?: object): Promise<string>
  /** Creates an order that waits for its seller. */
  inReview(more?: object): Promise<string>
  /** Creates an order whose line its seller has countered, with a quote that is valid for so many milliseconds. */
  countered(more?: object, validMs?: number): Promise<string>
  /** Creates an order by document that waits for its buyer. */
  read(): Promise<string>
  /** Creates a proposal that waits for its plan. */
  proposed(): Promise<string>
  /** Sends a plan within the acceptance band of a proposal. */
  plan(orderId: string): Promise<void>
  approve(orderId: string): Promise<void>
  respond(orderId: string, action: 'accept' | 'withdraw'): Promise<void>
  cancel(orderId: string): Promise<void>
  /** Resolves when the run has shown a status, and waits. */
  waitsIn(orderId: string, status: string): Promise<void>
  /** Resolves when the order's run has ended with this event. */
  ends(orderId: string, last_seq: number): Promise<void>
}

const SECONDS = 60
const GROSS = 6252.5 // the one line of an order

export function openWalk(shops: Shops): Walk {
  const { api, buyer } = shops
  let orders = 0
  const runOf = (orderId: string) => startedRun(shops, runIdOf('order', orderId), SECONDS)
  const walk: Walk = {
    shops,
    async placed({ market }, more = {}) {
      orders += 1
      const body = JSON.stringify({ ...JSON.parse(orderBody(market, `kind-${orders}`, 1)), ...more })
      return (await buyer.createOrder({ body })).body.order_id
    },
    async inReview(more) {
      const orderId = await walk.placed(api, more)
      await walk.waitsIn(orderId, 'seller_review')
      return orderId
    },
    async countered(more, validMs) {
      const order_id = await walk.inReview(more)
      const [line] = (await buyer.getOrder({ path: { order_id } })).body.line_items ?? []
      const quote = validMs === undefined ? {} : { quote_expires_at: inMs(validMs) }
      const counter = { week: '2030-W02', unit_cost: 1_000, ...quote }
      const units = [{ unit_id: line?.unit_id ?? '', action: 'counter' as const, counter }]
      await api.seller.decideOrder({ path: { order_id }, body: { decision: 'counter', actor: 'Ada', units } })
      return order_id
    },
    async read() {
      const document = { upload_id: await uploaded(buyer), format: 'csv' }
      const orderId = await walk.placed(api, { line_items: undefined, document, flight: { start: '2029-12-31', end: '2030-01-06' } })
      await walk.waitsIn(orderId, 'needs_confirmation')
      return orderId
    },
    async proposed() {
      const acceptance_band = { metric: 'budget', tolerance_pct: 2, action: 'auto_accept' }
      const request = { request_type: 'specs', budget_gross: GROSS, acceptance_band }
      const orderId = await walk.placed(api, { line_items: undefined, request })
      await walk.waitsIn(orderId, 'validating')
      return orderId
    },
    async plan(order_id) {
      const { line_items } = JSON.parse(orderBody(api.market, 'a plan', 1))
      const body = { actor: 'Ada', line_items, plan_totals: { gross: GROSS }, expires_at: inMs(86_400_000) }
      await api.seller.planOrder({ path: { order_id }, body })
    },
    approve: async (order_id) => void (await api.seller.decideOrder({ path: { order_id }, body: { decision: 'approve', actor: 'Ada' } })),
    respond: async (order_id, action) => void (await buyer.respondOrder({ path: { order_id }, body: { action } })),
    cancel: async (order_id) => void (await buyer.cancelOrder({ path: { order_id }, body: {} })),
    async waitsIn(orderId, status) {
      const run = await runOf(orderId)
      await until(async () => (await run.describe()).typedSearchAttributes.get(ORDER_ATTRIBUTES.OrderStatus) === status, SECONDS)
    },
    async ends(orderId, last_seq) {
      const run = await runOf(orderId)
      const isOver = async () => (await run.describe()).status.name === 'COMPLETED'
      await until(async () => (await isOver()) && (await run.result()).last_seq === last_seq, SECONDS)
    },
  }
  return walk
}

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

async function uploaded(buyer: Operations): Promise<string> {
  const bytes = `Product ID,Week,Spot Length,Units,Unit Cost,Amount\nprime-access,2030-W01,30,5,1250.50,${GROSS}\n`
  const announced = { filename: 'sheet.csv', format: 'csv', size_bytes: bytes.length } as const
  const { upload_id } = (await buyer.createUpload({ body: announced })).body
  await buyer.putUploadContent({ path: { upload_id }, body: bytes, contentType: 'text/csv' })
  return upload_id
}

const REVIEWED = ['step validate', 'status seller_review', 'timer decision due']
const NEGOTIATED = [...REVIEWED, 'signal decided 4 negotiating api', 'status negotiating', 'timer quote lapses']
const READ = ['step validate', 'status validating', 'step read the document into lines', 'status needs_confirmation']
const PROPOSED = ['step validate', 'status validating', 'step validate']
const closed = (status: string, last_seq: number) => [`status ${status}`, 'step close', `result ${JSON.stringify({ status, last_seq })}`]
const canceled = (last_seq: number) => [`signal canceled ${last_seq} canceled`, ...closed('canceled', last_seq)]
const approved = (last_seq: number) => [`signal decided ${last_seq} placed api`, ...closed('placed', last_seq)]

/** Each kind of order, and how it comes to its end. */
export const KINDS: Readonly<Record<string, (walk: Walk) => Promise<Walked>>> = {
  approved: async (walk) => {
    const orderId = await walk.inReview({ agreement_id: walk.shops.agreement_id })
    await walk.approve(orderId)
    return { orderId, story: [...REVIEWED, ...approved(4)] }
  },
  'countered and accepted': async (walk) => {
    const orderId = await walk.countered({ agreement_id: walk.shops.agreement_id })
    await walk.waitsIn(orderId, 'negotiating')
    await walk.respond(orderId, 'accept')
    return { orderId, story: [...NEGOTIATED, 'signal responded 5 placed api', ...closed('placed', 5)] }
  },
  'with a quote that lapses': async (walk) => {
    const orderId = await walk.countered({}, 3_000)
    const read = () => walk.shops.buyer.getOrder({ path: { order_id: orderId } })
    await until(async () => (await read()).body.substatus === 'quote_lapsed', SECONDS)
    await walk.respond(orderId, 'withdraw')
    const lapsed = ['timer quote lapses: fired', 'step lapse the quote', 'signal responded 6 canceled']
    return { orderId, story: [...NEGOTIATED, ...lapsed, ...closed('canceled', 6)] }
  },
  'by document': async (walk) => {
    const orderId = await walk.read()
    await walk.shops.buyer.confirmOrder({ path: { order_id: orderId }, body: { action: 'confirm', actor: 'Bea' } })
    await walk.waitsIn(orderId, 'seller_review')
    await walk.approve(orderId)
    return { orderId, story: [...READ, 'signal confirmed 4 confirmed api', 'status confirmed', ...REVIEWED, ...approved(6)] }
  },
  'a proposal within its band': async (walk) => {
    const orderId = await walk.proposed()
    await walk.plan(orderId)
    await walk.waitsIn(orderId, 'seller_review')
    await walk.approve(orderId)
    const planned = ['signal planned 4 seller_review acceptance_band', 'status needs_confirmation', 'status seller_review']
    return { orderId, story: [...PROPOSED, ...planned, 'timer decision due', ...approved(5)] }
  },
  'that its seller’s API decides': async (walk) => {
    const orderId = await walk.placed(walk.shops.pull)
    const asked = ['step live availability', 'status seller_review', 'timer decision due', 'step decision']
    return { orderId, story: ['step validate', 'status validating', ...asked, ...closed('placed', 4)] }
  },
  'that rules decide': async (walk) => {
    const orderId = await walk.placed(walk.shops.rules)
    return { orderId, story: ['step validate', 'status seller_review', 'step decide by the rules', ...closed('placed', 4)] }
  },
  'canceled before it is confirmed': async (walk) => {
    const orderId = await walk.read()
    await walk.cancel(orderId)
    return { orderId, story: [...READ, ...canceled(4)] }
  },
  'canceled before its plan': async (walk) => {
    const orderId = await walk.proposed()
    await walk.cancel(orderId)
    return { orderId, story: [...PROPOSED, ...canceled(3)] }
  },
  'canceled in review': async (walk) => {
    const orderId = await walk.inReview()
    await walk.cancel(orderId)
    return { orderId, story: [...REVIEWED, ...canceled(4)] }
  },
  'canceled while a counter is open': async (walk) => {
    const orderId = await walk.countered()
    await walk.waitsIn(orderId, 'negotiating')
    await walk.cancel(orderId)
    return { orderId, story: [...NEGOTIATED, ...canceled(5)] }
  },
  'canceled when it is placed': async (walk) => {
    const orderId = await walk.inReview({ agreement_id: walk.shops.agreement_id })
    await walk.approve(orderId)
    await walk.ends(orderId, 4)
    await walk.cancel(orderId)
    // Another run, since the first has ended.
    return { orderId, story: ['signal canceled 5 canceled', 'step validate', ...closed('canceled', 5)] }
  },
  superseded: async (walk) => {
    const orderId = await walk.inReview()
    const revision = await walk.inReview({ revision: { supersedes: orderId } })
    await walk.approve(revision)
    return { orderId, story: [...REVIEWED, 'signal superseded 4 canceled', ...closed('canceled', 4)] }
  },
  'that fails': async (walk) => {
    const [line] = JSON.parse(orderBody(walk.shops.api.market, 'a line', 1)).line_items
    const period = { grain: 'week', start: SOLD_OUT }
    const rate = { ...line.rate, locked_rate_id: walk.shops.api.market.rates[SOLD_OUT] }
    const orderId = await walk.placed(walk.shops.api, { line_items: [{ ...line, period, rate }] })
    return { orderId, story: ['step validate', ...closed('failed', 3)] }
  },
}

/** The week of which the seller has nothing left. */
export const SOLD_OUT = '2030-W06'
