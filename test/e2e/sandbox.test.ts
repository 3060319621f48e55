import { beforeAll, describe, expect, it, jest } from '@jest/globals'
import { ERRORS, type ErrorCode } from '../../src/contract/vocabulary/codes.ts'
import { VARIANCE_CODES } from '../../src/contract/vocabulary/reconciliation.ts'
import { ORDER_STATUSES } from '../../src/contract/vocabulary.ts'
import { addDays, dateOf, weekOf } from '../../src/domain/calendar.ts'
import { exampleFile } from '../../src/local/demo/examples.ts'
import { UNITS_OF_EACH_VARIANCE } from '../../src/local/sandbox/eachVariance.ts'
import { demanded, type SandboxBuyer, sandboxBuyer } from './sandboxBuyer.ts'
import { triggers } from './triggers.ts'
import { useProduct } from './useProduct.ts'

const product = useProduct({ env: { SEED: 'catalogs' } })
jest.setTimeout(150_000)
let buyer: SandboxBuyer
const slow = { plan: '', decision: '' }
triggers(product)

beforeAll(async () => {
  const known = sandboxBuyer(product.baseUrl, product.credentials.buyers['northlight-media']?.token ?? '')
  const { token } = (await known.client.makeTenant({ body: { side: 'buyer', name: 'A fresh buyer' } })).body
  buyer = sandboxBuyer(product.baseUrl, token)
  // What takes its time begins first, so that no test waits for it.
  await buyer.client.listAgreements()
  slow.plan = await buyer.request(open('sbx-plan-late'))
  slow.decision = await orderFromPull('pull-later')
})

const actions = (order: Awaited<ReturnType<SandboxBuyer['read']>>) =>
  order.line_items.map(({ product_id, status, num_accepted }) => [product_id, status, num_accepted])

const open = (anchor: string) => ({ request_type: 'open' as const, brief: 'A plan', budget_gross: 20_000, anchor_package_ids: [anchor] })
const orderFromPull = async (id: string) => buyer.order([await buyer.line(id, {}, 'sandbox-pull')], { seller: 'sandbox-pull' })

describe('what you order is what you get', () => {
  it('grants the agreements at the first read', async () => {
    const { items } = (await buyer.client.listAgreements()).body
    expect(items.map(({ seller, settlement_mode, permitted_grains }) => [seller, settlement_mode, permitted_grains ?? []])).toEqual([
      ['sandbox-tv', 'cleared', []],
      ['sandbox-tv', 'direct', []],
      ['sandbox-pull', 'direct', ['week']],
    ])
  })

  it('says in the catalog what will happen, and shows what an agreement unlocks', async () => {
    const { products } = (await buyer.client.getCatalog({ path: { seller: 'sandbox-tv' } })).body
    const named = new Map(products.map((each) => [each.product_id, (each as { name?: string }).name]))
    expect(named.get('sbx-approved')).toBe('Approved in a second')
    expect(named.has('sbx-by-agreement')).toBe(true)
  })

  it('answers every line of one order by its product', async () => {
    const lines = await Promise.all(['sbx-approved', 'sbx-approved-part', 'sbx-rejected'].map((id) => buyer.line(id)))
    const order = await buyer.untilStatus(await buyer.order(lines), 'placed')
    expect(actions(order)).toEqual([
      ['sbx-approved', 'accepted', 3],
      ['sbx-approved-part', 'accepted', 2],
      ['sbx-rejected', 'rejected', 0],
    ])
    expect(order.line_items[2]?.reason).toBe('The sandbox rejects this product.')
  })

  it('rejects', async () => {
    await buyer.untilStatus(await buyer.order([await buyer.line('sbx-rejected')]), 'rejected')
  })

  it('counters at 5 % over, and the buyer accepts', async () => {
    const order_id = await buyer.order([await buyer.line('sbx-countered')])
    const order = await buyer.untilStatus(order_id, 'negotiating')
    expect(order.line_items[1]?.counter).toMatchObject({ unit_cost: 1_050 })
    expect((await buyer.client.respondOrder({ path: { order_id }, body: { action: 'accept' } })).body.status).toBe('placed')
  })

  it('counters a second time, and the buyer withdraws', async () => {
    const order_id = await buyer.order([await buyer.line('sbx-countered-twice')])
    const order = await buyer.until(order_id, ({ line_items }) => line_items.length === 3, 'countered twice')
    expect(order.line_items[2]?.counter).toMatchObject({ unit_cost: 1_020 })
    expect((await buyer.client.respondOrder({ path: { order_id }, body: { action: 'withdraw' } })).body.status).toBe('canceled')
  })

  it('lets a quote of 60 seconds lapse, at once', async () => {
    const order_id = await buyer.order([await buyer.line('sbx-countered-lapsing')])
    await buyer.untilStatus(order_id, 'negotiating')
    expect((await buyer.client.elapseDeadline({ path: { order_id }, body: { what: 'quote' } })).body.substatus).toBe('quote_lapsed')
    expect(await buyer.refused(buyer.client.respondOrder({ path: { order_id }, body: { action: 'accept' } }))).toBe('STALE_RATE_CARD')
  })

  it('never decides, and is overdue', async () => {
    const order_id = await buyer.order([await buyer.line('sbx-silent'), await buyer.line('sbx-approved')])
    await buyer.untilStatus(order_id, 'seller_review')
    await buyer.client.elapseDeadline({ path: { order_id }, body: { what: 'decision' } })
    expect((await buyer.read(order_id)).waiting_on).toMatchObject({ party: 'seller', overdue: true })
  })

  it('fails what was repriced with the drift, and what was sold out', async () => {
    const [repriced, sold] = await Promise.all(['sbx-repriced', 'sbx-sold-out'].map(async (id) => buyer.order([await buyer.line(id)])))
    const [one, two] = await Promise.all([buyer.untilStatus(repriced ?? '', 'failed'), buyer.untilStatus(sold ?? '', 'failed')])
    expect(one.error).toMatchObject({ error_code: 'STALE_RATE_CARD', details: { rate_drift: [{ cited: 1_000, current: 1_001 }] } })
    expect(two.error).toMatchObject({ error_code: 'INVENTORY_UNAVAILABLE' })
  })

  it('decides late, so that one of two loses', async () => {
    const order_id = await buyer.order([await buyer.line('sbx-decides-late')])
    await buyer.untilStatus(order_id, 'rejected')
    expect(await buyer.refused(buyer.client.cancelOrder({ path: { order_id }, body: {} }))).toBe('INVALID_STATE')
    const other = await buyer.order([await buyer.line('sbx-decides-late')])
    await buyer.untilStatus(other, 'seller_review')
    await buyer.client.cancelOrder({ path: { order_id: other }, body: {} })
    await buyer.untilStatus(other, 'canceled')
  })

  it('answers a request for avails', async () => {
    const path = { seller: 'sandbox-tv' }
    const period = { grain: 'week' as const, start: buyer.week }
    const events = 'catalog.avails_answered' as const
    const after = (await buyer.client.readFeed({ query: { after: 'now', events } })).body.next_cursor
    await buyer.client.requestAvails({ path, body: { product_id: 'sbx-on-request', period } })
    const { body } = await buyer.client.readFeed({ query: { after, events, wait_s: 20 } })
    expect(body.events).toMatchObject([{ event_type: events, data: { product_id: 'sbx-on-request' } }])
  })

  it('has each rule of lines once', async () => {
    const day = addDays(dateOf(new Date().toISOString()), 30)
    const month = addDays(day, 31).slice(0, 7)
    const lines = [
      await buyer.line('sbx-by-agreement'),
      await buyer.line('sbx-guaranteed'),
      await buyer.line('sbx-daylocked', { period: { grain: 'day', start: day } }),
      await buyer.line('sbx-mirror', { include_mirror: true }),
      await buyer.line('sbx-month', { period: { grain: 'month', start: month }, units: 30 }),
    ]
    const order = await buyer.untilStatus(await buyer.order(lines), 'placed')
    expect(order.totals.impressions).toEqual({ 'A25-54': 30_000 })
    expect(order.line_items[2]?.allocation).toEqual([{ date: day, units: 3 }])
    expect(order.line_items[3]?.mirror).toMatchObject({ product_id: 'sbx-mirror-west' })
    expect(order.line_items[4]?.num_accepted).toBe(30)
  })
})

it('bills wrong, with each variance', async () => {
  const [{ agreement_id = '' } = {}] = (await buyer.client.listAgreements()).body.items
  const { creative_id } = (
    await buyer.client.createCreative({ body: { creative_code: 'HBHW0012000H', name: 'Spring', length_seconds: 30 } })
  ).body
  const start = weekOf(addDays(dateOf(new Date().toISOString()), -60))
  const line = await buyer.line('sbx-billed-wrong', { period: { grain: 'week', start }, units: UNITS_OF_EACH_VARIANCE, creative_id })
  const order_id = await buyer.order([line], { agreement_id })
  await buyer.untilStatus(order_id, 'placed')
  const codes = async () => {
    const { lines } = (await buyer.client.getReconciliation({ path: { order_id } })).body
    return [...new Set(lines.flatMap(({ variances }) => variances.map(({ code }) => code)))].sort()
  }
  await expectSoon(async () => (await codes()).length > 0, true)
  expect(await codes()).toEqual([...VARIANCE_CODES].sort())
  expect((await buyer.client.listInvoices({ query: { order_id } })).body.items).toHaveLength(1)
})

it('preempts a spot, offers another, and the buyer accepts', async () => {
  const order_id = await buyer.order([await buyer.line('sbx-preempted')])
  await buyer.untilStatus(order_id, 'placed')
  const read = async () => (await buyer.client.listOrderMakegoods({ path: { order_id } })).body.items
  await expectSoon(async () => (await read())[0]?.status, 'offered')
  const [makegood] = await read()
  expect(makegood).toMatchObject({ version: 2, actions: [{ action: 'notice' }, { action: 'offer' }] })
  const path = { order_id, makegood_id: makegood?.makegood_id ?? '' }
  const { body } = await buyer.client.answerMakegood({ path, body: { action: 'accept', version: 2 } })
  expect([body.status, body.agreed?.gross]).toEqual(['accepted', 1_000])
})

it('reads a buysheet of its products, which the buyer confirms', async () => {
  const { client } = buyer
  const bytes = new TextEncoder().encode(await exampleFile('sandbox-buysheet.csv'))
  const upload = (await client.createUpload({ body: { filename: 'buysheet.csv', format: 'csv', size_bytes: bytes.length } })).body
  await client.putUploadContent({ path: { upload_id: upload.upload_id }, body: bytes, contentType: 'text/csv' })
  const order_id = await buyer.document({ upload_id: upload.upload_id, format: 'csv' })
  await buyer.untilStatus(order_id, 'needs_confirmation')
  await client.confirmOrder({ path: { order_id }, body: { action: 'confirm', actor: 'Bo' } })
  const { line_items } = await buyer.untilStatus(order_id, 'placed')
  expect([...new Set(line_items.map(({ product_id }) => product_id))].sort()).toEqual(['sbx-approved', 'sbx-approved-part'])
})

describe('proposals', () => {
  it.each([
    ['sbx-plan', 20_000],
    ['sbx-plan-short', 10_000],
    ['sbx-plan-minted', 20_000],
    ['sbx-plan-late', 20_000],
  ] as const)(
    '%s',
    async (anchor, gross) => {
      const order_id = anchor === 'sbx-plan-late' ? slow.plan : await buyer.request(open(anchor))
      const { artifacts } = await buyer.untilStatus(order_id, 'needs_confirmation')
      const plan = artifacts.find(({ name }) => name === 'plan_proposal')
      expect(plan).toMatchObject({
        plan_id: `${anchor}-1`,
        computed_gross: gross,
        unmet: anchor === 'sbx-plan-short' ? [expect.any(String)] : [],
      })
      await buyer.client.confirmOrder({ path: { order_id }, body: { action: 'confirm', actor: 'Bo', plan_id: `${anchor}-1` } })
      expect((await buyer.untilStatus(order_id, 'placed')).totals.gross).toBe(gross)
    },
    90_000,
  )

  it('sbx-plan-edge satisfies the band', async () => {
    const acceptance_band = { metric: 'budget' as const, tolerance_pct: 2, action: 'auto_accept' as const }
    const order = await buyer.untilStatus(await buyer.request({ ...open('sbx-plan-edge'), acceptance_band }), 'placed')
    expect(order.totals.gross).toBe(20_400)
  })

  it('lets a plan expire', async () => {
    const order_id = await buyer.request(open('sbx-plan'))
    await buyer.untilStatus(order_id, 'needs_confirmation')
    await buyer.client.elapseDeadline({ path: { order_id }, body: { what: 'plan' } })
    const confirm = buyer.client.confirmOrder({ path: { order_id }, body: { action: 'confirm', actor: 'Bo' } })
    expect(await buyer.refused(confirm)).toBe('STALE_RATE_CARD')
  })
})

describe('sellers with an API of their own, and one that suspends', () => {
  it('sandbox-pull decides at once, later, or answers in ways that decide nothing', async () => {
    const [decides = '', ...never] = await Promise.all(['pull-decides', 'pull-garbage', 'pull-500', 'pull-hangs'].map(orderFromPull))
    await buyer.untilStatus(decides, 'placed')
    await buyer.untilStatus(slow.decision, 'placed')
    for (const order_id of never)
      expect(await buyer.read(order_id)).toMatchObject({ status: 'seller_review', waiting_on: { party: 'seller' } })
  })

  it('an order by the day is not permitted', async () => {
    const day = addDays(dateOf(new Date().toISOString()), 30)
    const line = await buyer.line('pull-decides', { period: { grain: 'day', start: day } }, 'sandbox-pull')
    expect(await buyer.refused(buyer.order([line], { seller: 'sandbox-pull' }))).toBe('GRAIN_NOT_OFFERED')
  })

  it('seller-suspends-you refuses', async () => {
    const line = await buyer.line('suspended', {}, 'seller-suspends-you')
    expect(await buyer.refused(buyer.order([line], { seller: 'seller-suspends-you' }))).toBe('FORBIDDEN')
  })
})

describe('the buyer of the sandbox, for a seller', () => {
  it.each(['accepts', 'withdraws', 'cancels'] as const)('%s', async (then) => {
    const { client } = sandboxBuyer(product.baseUrl, product.credentials.sellers.summit?.token ?? '')
    const path = { order_id: await demanded(client, { template: 'catalog', then }) }
    const status = async () => (await client.getReceivedOrder({ path })).body.status
    await expectSoon(status, then === 'cancels' ? 'canceled' : 'seller_review')
    if (then === 'cancels') return
    const { line_items } = (await client.getReceivedOrder({ path })).body
    const [line] = line_items
    const counter = { week: line?.period.start ?? '', unit_cost: 9_999 }
    const units = [{ unit_id: line?.unit_id ?? '', action: 'counter' as const, counter }]
    await client.decideOrder({ path, body: { decision: 'counter', actor: 'Ada', units } })
    await expectSoon(status, then === 'accepts' ? 'placed' : 'canceled')
  })
})

it('the buyer of the sandbox revises', async () => {
  const { client } = sandboxBuyer(product.baseUrl, product.credentials.sellers.summit?.token ?? '')
  const order_id = await demanded(client, { template: 'catalog', then: 'revises' })
  const revisions = async () =>
    (await client.listReceivedOrders({ query: { buyer: 'sandbox-buyer' } })).body.orders.map(({ revision }) => revision.supersedes)
  await expectSoon(async () => (await revisions()).includes(order_id), true)
})

it.each(['proposal', 'document'] as const)('the buyer of the sandbox orders by a %s', async (template) => {
  const { client } = sandboxBuyer(product.baseUrl, product.credentials.sellers.summit?.token ?? '')
  await client.putCapabilities({ body: { modes: { catalog: true, proposal: true, document: true } } })
  const path = { order_id: await demanded(client, { template }) }
  const read = async () => (await client.getReceivedOrder({ path })).body
  if (template === 'document') return expectSoon(async () => (await read()).status, 'seller_review')
  await expectSoon(async () => (await read()).substatus, 'awaiting_plan')
})

describe('a player that is killed', () => {
  it('does what is left', async () => {
    const placed = await Promise.all(Array.from({ length: 10 }, async () => buyer.order([await buyer.line('sbx-approved')])))
    expect(await product.signal('worker')).toBe(true)
    for (const order_id of placed) await buyer.untilStatus(order_id, 'placed')
  })

  it('orders once what was asked of it, and grants what a new buyer lacks', async () => {
    const { client } = sandboxBuyer(product.baseUrl, product.credentials.sellers.summit?.token ?? '')
    const asked = Promise.all(Array.from({ length: 10 }, () => client.orderFromSeller({ body: { template: 'catalog', then: 'silent' } })))
    const { token } = (await buyer.client.makeTenant({ body: { side: 'buyer' } })).body
    const newcomer = sandboxBuyer(product.baseUrl, token)
    const greeted = newcomer.client.listAgreements()
    expect(await product.signal('worker')).toBe(true)
    await greeted
    for (const { body } of await asked) {
      const { external_order_id } = body
      await expectSoon(async () => (await client.getDemandedOrder({ path: { external_order_id } })).body.status, 'submitted')
      expect((await client.listReceivedOrders({ query: { external_order_id } })).body.orders).toHaveLength(1)
    }
    await expectSoon(async () => (await newcomer.client.listAgreements()).body.items.length, 3)
  })
})

describe('the whole contract, with a token of a buyer alone', () => {
  it('has met every status, and every code that a buyer can meet', async () => {
    await meetRefusals()
    tell(buyer.met)
    expect(ORDER_STATUSES.filter((status) => !buyer.met.statuses.has(status))).toEqual([])
    expect((Object.keys(ERRORS) as ErrorCode[]).filter((code) => !buyer.met.codes.has(code))).toEqual(NOT_OF_BUYERS)
  })
})

/** The codes of sellers' publishes and grants, and the one of our own faults. */
const NOT_OF_BUYERS = ['GRAIN_CONFLICT', 'DUPLICATE_EXTERNAL_REF', 'DUPLICATE_DISCLOSURE_OVERRIDE', 'INTERNAL']

/** Meets the codes that the orders have not met. */
async function meetRefusals(): Promise<void> {
  const { client, refused, met } = buyer
  const approved = (more: Parameters<SandboxBuyer['line']>[1] = {}) => buyer.line('sbx-approved', more)
  const agreement_id = (await client.listAgreements()).body.items[0]?.agreement_id ?? ''
  const creative = async (length_seconds: number) =>
    (await client.createCreative({ body: { creative_code: `C${length_seconds}`, name: 'Spring', length_seconds } })).body.creative_id
  const [long, archived] = [await creative(60), await creative(30)]
  await client.archiveCreative({ path: { creative_id: archived } })
  await buyer.order([await approved()], { external_order_id: 'the-same' })
  await refused(client.getOrder({ path: { order_id: 'ord_none' } }))
  await refused(client.createOrder({ body: '{' }))
  await refused(client.createOrder({ body: '{}' }))
  await refused(buyer.order([await approved({ units: 4 })], { external_order_id: 'the-same' }))
  await refused(buyer.order([await approved()], { buyer_entity: 'somebody-else' }))
  await refused(buyer.order([await approved({ units: 51 })], { agreement_id }))
  for (const creative_id of ['none', long, archived]) await refused(buyer.order([await approved({ creative_id })]))
  for (const init of [
    { headers: { authorization: 'Bearer nobody' } },
    { method: 'PATCH' },
    { method: 'POST', body: 'x'.repeat(1_100_000) },
    { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } },
    { headers: { 'sandbox-simulate': '429' } },
    { headers: { 'sandbox-simulate': '503' } },
  ]) {
    const headers = { authorization: `Bearer ${buyer.token}`, 'content-type': 'application/json', ...init.headers }
    const reply = await fetch(`${product.baseUrl}/v1/orders`, { ...init, headers })
    expect(reply.headers.get('x-sandbox')).toBe('true')
    met.codes.add(((await reply.json()) as { error_code: string }).error_code)
  }
}

function tell({ statuses, codes }: SandboxBuyer['met']): void {
  const rows = [...[...statuses].sort().map((status) => `status  ${status}`), ...[...codes].sort().map((code) => `code    ${code}`)]
  process.stderr.write(`${rows.join('\n')}\n`)
}

async function expectSoon<Value>(read: () => Promise<Value>, wanted: Value): Promise<void> {
  for (const end = Date.now() + 120_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 250)))
    if ((await read()) === wanted) return
  expect(await read()).toBe(wanted)
}
