import { beforeEach, describe, expect, it } from '@jest/globals'
import { ORDER_ATTRIBUTES } from '../../workflows/searchAttributes.ts'
import { orderRun } from '../support/engines/orderRun.ts'
import { uploaded } from '../support/files/uploads.ts'
import { WEEKS } from '../support/market.ts'
import { csvOf } from '../support/orders/buysheets.ts'
import { counterOrder, decideOrder } from '../support/orders/decisions.ts'
import { sheetOf } from '../support/orders/documentOrders.ts'
import { until } from '../support/until.ts'
import { servesEverything, useSellerCalls } from './useSellerCalls.ts'
import { recordsStories, storyNow } from './useStories.ts'

/**
 * What an operator reads in the history of an order's run, for each kind of order: these steps, signals, timers and statuses, in this order,
 * and no others. `RECORD=1` writes the histories to stories/, for the replay test.
 */
const FOLDER = new URL('stories/', import.meta.url)
const use = useSellerCalls()
const { market, declare, created, comesTo, runOf } = use

const MODES = { catalog: true, proposal: true, document: true }
beforeEach(() => declare({ modes: MODES }))

const record = recordsStories(FOLDER)

/** The story of an order whose run ends. */
async function storyTo(orderId: string, name: string): Promise<string[]> {
  await (await orderRun(use.env.client, orderId)).result()
  record(runOf(orderId), name)
  return storyNow(runOf(orderId))
}

/** The run has shown a status, and waits. */
async function waitsIn(orderId: string, status: string): Promise<void> {
  await comesTo(orderId, status, 60)
  await until(async () => (await runOf(orderId).describe()).typedSearchAttributes.get(ORDER_ATTRIBUTES.OrderStatus) === status)
}
const approve = (orderId: string) => decideOrder(market, orderId, { decision: 'approve' })
const respond = (orderId: string, action: string) => market.acme.post(`/orders/${orderId}/respond`, { action })
const cancel = (orderId: string) => market.acme.post(`/orders/${orderId}/cancel`, {})
const ok = (reply: { status: number; text: string }) =>
  expect([reply.status >= 200 && reply.status < 300, reply.text]).toEqual([true, reply.text])

const BEGINS = ['step validate', 'status seller_review']
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()

describe('the history of a catalog order', () => {
  it('that is approved', async () => {
    const id = await created()
    await waitsIn(id, 'seller_review')
    ok(await approve(id))
    expect(await storyTo(id, 'approved')).toEqual([
      ...BEGINS,
      'timer decision due',
      'signal decided 4 placed api',
      'step look',
      'status placed',
      'step close',
      'result {"status":"placed","last_seq":4}',
    ])
  })

  it('that is countered and accepted', async () => {
    const id = await created()
    await waitsIn(id, 'seller_review')
    ok(await counterOrder(market, id, { week: WEEKS[2], unit_cost: 1_000 }))
    await waitsIn(id, 'negotiating')
    ok(await respond(id, 'accept'))
    expect(await storyTo(id, 'counteredThenAccepted')).toEqual([
      ...BEGINS,
      'timer decision due',
      'signal decided 4 negotiating api',
      'step look',
      'status negotiating',
      'timer quote lapses',
      'signal responded 5 placed api',
      'step look',
      'status placed',
      'step close',
      'result {"status":"placed","last_seq":5}',
    ])
  })

  it('whose quote lapses before the buyer withdraws', async () => {
    const id = await created()
    await waitsIn(id, 'seller_review')
    ok(await counterOrder(market, id, { week: WEEKS[2], unit_cost: 1_000, quote_expires_at: inSeconds(2) }))
    await comesTo(id, 'negotiating')
    const isLapsed = async () => (await market.snapshot(id)).substatus === 'quote_lapsed'
    await until(isLapsed)
    ok(await respond(id, 'withdraw'))
    expect(await storyTo(id, 'quoteLapsedThenWithdrawn')).toEqual([
      ...BEGINS,
      'timer decision due',
      'signal decided 4 negotiating api',
      'step look',
      'status negotiating',
      'timer quote lapses',
      'timer quote lapses: fired',
      'step look',
      'step lapse the quote',
      'signal responded 6 canceled',
      'step look',
      'status canceled',
      'step close',
      'result {"status":"canceled","last_seq":6}',
    ])
  })

  it('that fails in validation', async () => {
    const week = '2030-W24'
    const cited = { unit_cost: 99.99, locked_rate_id: market.price('weekend', week) }
    const id = await created({ line_items: [market.line({ product_id: 'weekend', period: { grain: 'week', start: week } }, cited)] })
    expect(await storyTo(id, 'failed')).toEqual(['step validate', 'status failed', 'step close', 'result {"status":"failed","last_seq":3}'])
  })

  it('that is superseded by a revision', async () => {
    const id = await created()
    await waitsIn(id, 'seller_review')
    const revision = await created({ revision: { supersedes: id } })
    await waitsIn(revision, 'seller_review')
    ok(await approve(revision))
    expect(await storyTo(id, 'superseded')).toEqual([
      ...BEGINS,
      'timer decision due',
      'signal superseded 4 canceled',
      'step look',
      'status canceled',
      'step close',
      'result {"status":"canceled","last_seq":4}',
    ])
  })

  it('that the rules of its seller decide', async () => {
    await declare({ approval: 'rules' })
    ok(await market.cable.put('/me/approval-rules', { rules: [{ id: 'all', when: {}, then: 'approve' }] }))
    const id = await created()
    expect(await storyTo(id, 'decidedByRules')).toEqual([
      ...BEGINS,
      'step decide by the rules',
      'status placed',
      'step close',
      'result {"status":"placed","last_seq":4}',
    ])
  })

  it('that is canceled in review', async () => {
    const id = await created()
    await waitsIn(id, 'seller_review')
    ok(await cancel(id))
    expect(await storyTo(id, 'canceledInReview')).toEqual([
      ...BEGINS,
      'timer decision due',
      'signal canceled 4 canceled',
      'step look',
      'status canceled',
      'step close',
      'result {"status":"canceled","last_seq":4}',
    ])
  })

  it('that is canceled after it was placed: another run, which begins with the validation too', async () => {
    const placed = await created()
    await waitsIn(placed, 'seller_review')
    ok(await approve(placed))
    await runOf(placed).result()
    ok(await cancel(placed))
    await until(async () => (await runOf(placed).describe()).status.name === 'COMPLETED' && (await resultOf(placed))?.last_seq === 5)
    expect(await storyTo(placed, 'canceledWhenPlaced')).toEqual([
      'signal canceled 5 canceled',
      'step validate',
      'status canceled',
      'step close',
      'result {"status":"canceled","last_seq":5}',
    ])
  })

  it('that is canceled while a counter is open', async () => {
    const id = await created()
    await waitsIn(id, 'seller_review')
    ok(await counterOrder(market, id, { week: WEEKS[2], unit_cost: 1_000 }))
    await waitsIn(id, 'negotiating')
    ok(await cancel(id))
    expect((await storyTo(id, 'canceledInNegotiation')).slice(-6)).toEqual([
      'timer quote lapses',
      'signal canceled 5 canceled',
      'step look',
      'status canceled',
      'step close',
      'result {"status":"canceled","last_seq":5}',
    ])
  })
})

const resultOf = (orderId: string): Promise<{ last_seq: number } | undefined> => runOf(orderId).result()

describe('the history of an order whose seller has its own API', () => {
  it('shows live availability and the decision', async () => {
    await declare({ approval: 'pull', realtime_availability: true, modes: MODES })
    const id = await created()
    expect(await storyTo(id, 'pulled')).toEqual([
      'step validate',
      'status validating',
      'step live availability',
      'status seller_review',
      'timer decision due',
      'step decision',
      'step look',
      'status placed',
      'step close',
      'result {"status":"placed","last_seq":4}',
    ])
  })

  it('shows in red that a call for a decision failed, once for each kind of failure, and retries until it decides', async () => {
    const replies = [{ status: 503 }, { status: 503 }, { status: 202 }]
    use.server.reply((call) => replies.shift() ?? servesEverything(call))
    await declare({ approval: 'pull', modes: MODES })
    const id = await created()
    expect(await storyTo(id, 'decisionUnreachable')).toEqual([
      ...BEGINS,
      'timer decision due',
      'step decision: failed (unreachable:status_503)',
      'step decision (attempt 4, after will_decide_later)',
      'step look',
      'status placed',
      'step close',
      'result {"status":"placed","last_seq":4}',
    ])
    expect(use.operations()).toEqual(['POST /decisions', 'POST /decisions', 'POST /decisions', 'GET /decisions'])
  })

  it('shows in red that it is down, and goes on by what is published', async () => {
    use.server.reply(() => ({ status: 503 }))
    await declare({ approval: 'api', realtime_availability: true, modes: MODES })
    const id = await created()
    await waitsIn(id, 'seller_review')
    ok(await approve(id))
    expect(await storyTo(id, 'availabilityUnreachable')).toEqual([
      'step validate',
      'status validating',
      'step live availability: failed (unreachable:status_503)',
      'step validate by what is published',
      'status seller_review',
      'timer decision due',
      'signal decided 4 placed api',
      'step look',
      'status placed',
      'step close',
      'result {"status":"placed","last_seq":4}',
    ])
  })
})

describe('the history of a document', () => {
  const read = async () => {
    const upload_id = await uploaded(market, market.acme, csvOf(sheetOf({})), 'csv')
    return created({ line_items: undefined, document: { upload_id, format: 'csv' } })
  }

  it('that is confirmed and approved', async () => {
    const id = await read()
    await waitsIn(id, 'needs_confirmation')
    ok(await market.acme.post(`/orders/${id}/confirm`, { action: 'confirm', actor: 'Bea' }))
    await waitsIn(id, 'seller_review')
    ok(await approve(id))
    expect(await storyTo(id, 'documentConfirmed')).toEqual([
      'step validate',
      'status validating',
      'step read the document into lines',
      'status needs_confirmation',
      'signal confirmed 4 confirmed api',
      'step look',
      'status confirmed',
      'step validate',
      'status seller_review',
      'timer decision due',
      'signal decided 6 placed api',
      'step look',
      'status placed',
      'step close',
      'result {"status":"placed","last_seq":6}',
    ])
  })

  it('that is canceled before it is confirmed', async () => {
    const id = await read()
    await waitsIn(id, 'needs_confirmation')
    ok(await cancel(id))
    expect((await storyTo(id, 'canceledBeforeConfirmed')).slice(-5)).toEqual([
      'signal canceled 4 canceled',
      'step look',
      'status canceled',
      'step close',
      'result {"status":"canceled","last_seq":4}',
    ])
  })
})

describe('the history of a proposal', () => {
  const asked = async (request: Record<string, unknown> = {}) => {
    const { line_items: _, ...order } = market.order()
    const reply = await market.acme.post('/orders', { ...order, request: { request_type: 'specs', budget_gross: 100_000, ...request } })
    ok(reply)
    await waitsIn(reply.body.order_id, 'validating')
    return reply.body.order_id as string
  }
  const plan = () => ({ actor: 'Ada', line_items: [market.line()], plan_totals: { gross: 12_505 }, expires_at: inSeconds(86_400) })

  it('whose plan the acceptance band confirms', async () => {
    const id = await asked({ budget_gross: 12_505, acceptance_band: { metric: 'budget', tolerance_pct: 2, action: 'auto_accept' } })
    ok(await market.cable.post(`/me/orders/${id}/plan`, plan()))
    await waitsIn(id, 'seller_review')
    ok(await approve(id))
    expect(await storyTo(id, 'plannedWithinBand')).toEqual([
      'step validate',
      'status validating',
      'step validate',
      'signal planned 4 seller_review acceptance_band',
      'step look',
      'status needs_confirmation',
      'status seller_review',
      'timer decision due',
      'signal decided 5 placed api',
      'step look',
      'status placed',
      'step close',
      'result {"status":"placed","last_seq":5}',
    ])
  })

  it('that is canceled while it waits for its plan', async () => {
    const id = await asked()
    ok(await cancel(id))
    expect(await storyTo(id, 'canceledBeforePlanned')).toEqual([
      'step validate',
      'status validating',
      'step validate',
      'signal canceled 3 canceled',
      'step look',
      'status canceled',
      'step close',
      'result {"status":"canceled","last_seq":3}',
    ])
  })
})
