import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { ApplicationFailure } from '@temporalio/common'
import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger } from '@temporalio/worker'
import { sellerCallActivities } from '../../../activities/sellerCalls.ts'
import { validateOrder } from '../../../src/operations/orders/validateOrder.ts'
import { openSellerPermits } from '../../../src/operations/pull/sellerPermits.ts'
import { SELLER_SECRET, type SellerServer, startSellerServer } from '../../support/http/sellerServer.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
let server: SellerServer
let steps: ReturnType<typeof sellerCallActivities>
beforeAll(async () => {
  server = await startSellerServer(() => ({ status: 202 }))
  await declare({ approval: 'pull', holds: true })
  await market.cable.put('/me/secrets/pull', { value: SELLER_SECRET })
  const { db, orders: log, secrets, outbound } = market.deps
  const open = () => openSellerPermits({ perBuyer: 4, waiting: 4 })
  steps = sellerCallActivities({ db, log, secrets, outbound, sellerPermits: { decisions: open(), availability: open(), holds: open() } })
})
market.beforeStop(() => server.stop())
beforeEach(() => {
  server.calls.length = 0
})

const declare = (more: Record<string, unknown>) =>
  market.cable.put('/me/capabilities', { transports: { pull: { base_url: server.url, secret_ref: 'pull' } }, ...more })

/** What a step returns, or the failure with which it ends. */
const run = (step: () => Promise<unknown>, attempt = 1): Promise<unknown> =>
  new MockActivityEnvironment({ attempt }, { logger: new DefaultLogger('ERROR') }).run(step).catch((error: unknown) => error)
const failure = (type: string, more: Partial<ApplicationFailure>) => expect.objectContaining({ type, ...more })

describe('the step that asks a seller to decide', () => {
  it('begins with the pause that it is given, once', async () => {
    const orderId = await market.parked()
    const asked = (attempt: number) => run(() => steps.askDecision(orderId, ['unreachable:reset'], 60_000), attempt)
    expect(await asked(1)).toEqual(failure('unreachable:reset', { nextRetryDelay: 60_000, nonRetryable: false }))
    expect(server.calls).toEqual([])
    server.reply(() => ({ status: 202 }))
    expect(await asked(2)).toEqual(failure('will_decide_later', { nextRetryDelay: 30_000, nonRetryable: false }))
    expect(server.calls).toHaveLength(1)
  })

  it('fails for good with the first failure of a kind, which says when the next begins, and is tried again for those of a kind that was shown', async () => {
    const orderId = await market.parked()
    server.reply(() => ({ status: 503 }))
    const asked = (...shown: string[]) => run(() => steps.askDecision(orderId, shown))
    expect(await asked()).toEqual(failure('unreachable:status_503', { nonRetryable: true, details: [30_000] }))
    expect(await asked('unusable_answer:json')).toEqual(failure('unreachable:status_503', { nonRetryable: true, details: [60_000] }))
    expect(await asked('unusable_answer:json', 'unreachable:reset')).toEqual(
      failure('unreachable:status_503', { nonRetryable: false, nextRetryDelay: 120_000, message: 'asked again in 120 s' }),
    )
  })

  it('ends once the seller has decided', async () => {
    const orderId = await market.parked()
    server.reply(() => ({ status: 200, body: { decision: 'approve', actor: 'their system' } }))
    expect(await run(() => steps.askDecision(orderId))).toBeUndefined()
    expect((await market.snapshot(orderId)).status).toBe('placed')
  })
})

describe('the step that asks a seller for its inventory', () => {
  beforeAll(() => declare({ realtime_availability: true, holds: true }))

  it('fails for good without a usable answer, whose kind it says, and asks nothing of an order that is validated', async () => {
    const orderId = await market.created()
    expect(await validateOrder(market.deps.orders, orderId, 'begin')).toMatchObject({ status: 'validating', asks_seller: true })
    server.reply(() => ({ status: 500 }))
    expect(await run(() => steps.validateLive(orderId))).toEqual(failure('unreachable:status_500', { nonRetryable: true }))
    server.reply(({ body }) => ({
      status: 200,
      body: { lines: body.lines.map(({ unit_id }: { unit_id: string }) => ({ unit_id, state: 'available' })) },
    }))
    expect(await run(() => steps.validateLive(orderId))).toMatchObject({ status: 'seller_review' })
    expect(await run(() => steps.validateLive(orderId))).toMatchObject({ status: 'seller_review' })
    expect(server.calls).toHaveLength(2)
  })
})

describe('the step that tells a seller that a hold is over', () => {
  it('is tried again while the seller is not reached, and closes the hold then', async () => {
    server.reply(() => ({ status: 201 }))
    const lines = [{ product_id: 'prime', period: { grain: 'week', start: '2030-W23' }, units: 1, spot_length: 30 }]
    const { hold_id } = (await market.acme.post('/holds', { seller: 'cable', lines, ttl_minutes: 5 })).body
    await market.acme.delete(`/holds/${hold_id}`)
    const isClosed = async () =>
      (await market.deps.db.pool.query('select closed from holds where hold_id = $1', [hold_id])).rows[0]?.closed as boolean
    server.reply(() => 'reset')
    expect(await run(() => steps.tellHoldOver(hold_id))).toEqual(failure('unreachable', { nonRetryable: false }))
    expect(await isClosed()).toBe(false)
    server.reply(() => ({ status: 404 }))
    expect(await run(() => steps.tellHoldOver(hold_id))).toBeUndefined()
    expect(await isClosed()).toBe(true)
    expect(await run(() => steps.tellHoldOver('hold_nothing'))).toBeUndefined()
  })
})
