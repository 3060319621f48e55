// A buyer's program on the TypeScript client: reads what to order from standard input, orders it, and answers its seller until the order ends.
// MARKETPLACE_URL=… MARKETPLACE_TOKEN=… node buyer.mjs < brief.json

import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { basename } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { dataOf, openClient, verifyWebhook } from '@order-marketplace/client'

const ACTOR = 'Dana Whitfield'
const ENDED = ['placed', 'canceled', 'rejected', 'failed']
const POLL_MS = 500

const brief = JSON.parse(await text(process.stdin))
const marketplace = openClient({ baseUrl: process.env.MARKETPLACE_URL, token: process.env.MARKETPLACE_TOKEN })
const { api } = marketplace

// What makes an order is in its create alone. The client sends the same bytes again until they are answered.
const { order_id } = await marketplace.createOrder(await orderOf(brief))
const path = { order_id }

// Webhooks are hints: each makes the program look, and the snapshot is the truth. One look at a time, so nothing is answered twice.
let looking = Promise.resolve()
let order
function look() {
  looking = looking.then(async () => {
    order = await marketplace.order(order_id)
    await answer(order)
  })
  return looking
}
const server = brief.webhook && listen(brief.webhook)
do {
  await look()
  await sleep(POLL_MS)
} while (!ENDED.includes(order.status))
server?.close()
server?.closeAllConnections()

async function orderOf({ seller, external_order_id, advertiser_id, workflow, ...wanted }) {
  const { rate_version } = dataOf(await api.GET('/sellers/{seller}/catalog', { params: { path: { seller } } }))
  const head = { seller, external_order_id, rate_version: rate_version ?? '', buyer_metadata: { advertiser_id } }
  if (workflow === 'proposal') {
    return { ...head, request: { request_type: 'open', brief: 'Evenings', budget_gross: wanted.budget_gross } }
  }
  if (workflow === 'document') {
    const content = new Uint8Array(await readFile(wanted.document))
    const { upload_id } = await marketplace.upload({ filename: basename(wanted.document), format: 'csv', content })
    return { ...head, document: { upload_id, format: 'csv' } }
  }
  return { ...head, line_items: [await lineOf(seller, wanted)] }
}

/** A price is never computed: it is one that the seller published, named by its locked_rate_id. */
async function lineOf(seller, { product_id, week, units }) {
  const query = { product_id, weeks: week }
  const { avails } = dataOf(await api.GET('/sellers/{seller}/avails', { params: { path: { seller }, query } }))
  const price = avails.flatMap(({ rates }) => rates).find(({ gross_rate_unit }) => gross_rate_unit !== undefined)
  if (price === undefined) throw new Error(`${product_id} has no price in ${week}`)
  const { locked_rate_id, market_class, advertiser_class, buy_type, currency, gross_rate_unit, spot_length } = price
  const rate = { locked_rate_id, market_class, advertiser_class, buy_type, currency, unit_cost: gross_rate_unit }
  return { product_id, period: { grain: 'week', start: week }, units, spot_length, rate }
}

async function answer({ status, substatus, artifacts }) {
  const params = { path }
  if (status === 'negotiating' && substatus !== 'quote_lapsed') {
    await api.POST('/orders/{order_id}/respond', { params, body: { action: brief.on_counter ?? 'withdraw', actor: ACTOR } })
  }
  if (status === 'needs_confirmation') {
    const plan = artifacts.find(({ name }) => name === 'plan_proposal')
    const action = brief.on_plan ?? 'confirm'
    const reason = action === 'reject' ? { reason: 'Not what was asked for.' } : {}
    const body = { action, actor: ACTOR, ...reason, ...(plan && { plan_id: plan.plan_id }) }
    await api.POST('/orders/{order_id}/confirm', { params, body })
  }
  if (status === 'seller_review' && brief.then === 'cancel') {
    await api.POST('/orders/{order_id}/cancel', { params, body: { actor: ACTOR, reason: 'The campaign was postponed.' } })
  }
}

function listen({ port, secret }) {
  return createServer(async (req, res) => {
    const chunks = []
    for await (const chunk of req) chunks.push(chunk)
    try {
      await verifyWebhook({ headers: req.headers, body: Buffer.concat(chunks) }, secret)
    } catch {
      res.writeHead(400).end()
      return
    }
    res.writeHead(204).end()
    look().catch((error) => {
      process.stderr.write(`${error.message}\n`)
      process.exit(1)
    })
  }).listen(port, '127.0.0.1')
}
