import { beforeAll, describe, expect, it } from '@jest/globals'
import { feedSettled } from '../../support/engines/feedSettled.ts'
import { sha256Of } from '../../support/files/uploads.ts'
import { decideOrder } from '../../support/orders/decisions.ts'
import { inHours, type Proposals, proposalsOf } from '../../support/orders/proposals.ts'
import { aProduct } from '../../support/orders/published.ts'
import { rowCounts } from '../../support/orders/storedOrders.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
let proposals: Proposals
beforeAll(async () => {
  proposals = await proposalsOf(market)
})

const send = (orderId: string, plan: object | string) => market.cable.post(`/me/orders/${orderId}/plan`, plan)
const { product_id: _, ...NEW_PRODUCT } = aProduct('any', { name: 'Made for Acme', currencies: ['A25-54'] })
const seenBy = async (buyer: 'acme' | 'zenith'): Promise<string[]> =>
  (await market[buyer].get('/sellers/cable/catalog')).body.products.map(({ product_id }: { product_id: string }) => product_id)

describe('POST /me/orders/{id}/plan: 202', () => {
  it('parks the order with its buyer, the plan as an artifact on event and snapshot', async () => {
    const orderId = await proposals.asked()
    const unmet = [{ product: 'weekend', missing: 12 }, 'no charity rates']
    const plan_totals = { gross: 12_505, projected_delivery: { 'A25-54': 400_000 }, note: 'kept' }
    const plan = proposals.plan({ plan_totals, unmet, plan_id: 'P-1' })
    const { status, body } = await send(orderId, plan)
    expect([status, body]).toEqual([
      202,
      { order_id: orderId, plan_id: 'P-1', status: 'needs_confirmation', last_seq: 3, acceptance_band: null, computed_gross: 12_505 },
    ])
    const snapshot = await market.snapshot(orderId)
    expect(snapshot).toMatchObject({
      substatus: null,
      line_items: [],
      totals: { gross: 0 },
      allowed_actions: ['confirm', 'cancel'],
      waiting_on: { party: 'buyer', due_by: plan.expires_at, overdue: false },
      artifacts: [
        {
          name: 'plan_proposal',
          seq: 3,
          plan_id: 'P-1',
          actor: 'Ada',
          unmet,
          plan_totals,
          expires_at: plan.expires_at,
          sha256: sha256Of(JSON.stringify(plan)),
          line_items: [
            {
              product_id: 'prime',
              network: 'CBL',
              units: 10,
              status: 'pending',
              num_accepted: 0,
              rate: { unit_cost: 1250.5, rate_basis: 'per_unit', buy_type: 'preemptible' },
            },
          ],
        },
      ],
    })
    const [, , event] = await market.events(orderId)
    expect(event).toMatchObject({ prior_status: 'validating', artifact: (snapshot.artifacts as unknown[])[0] })
    expect(event?.acceptance_band).toBeUndefined()
    expect((await market.cable.get(`/me/orders/${orderId}`)).body.allowed_actions).toEqual(['plan'])
  })

  it('publishes its quotes for this buyer alone, over every week of a month', async () => {
    const orderId = await proposals.asked()
    const expires_at = inHours(30)
    await proposals.planned(orderId, {
      line_items: [proposals.quoted({ period: { grain: 'month', start: '2030-06' } }, { unit_cost: 77.25, expires_at })],
    })
    const { artifacts } = (await market.snapshot(orderId)) as unknown as {
      artifacts: { line_items: { rate: Record<string, unknown> }[] }[]
    }
    const rate = artifacts[0]?.line_items[0]?.rate
    expect(rate).toMatchObject({
      unit_cost: 77.25,
      rate_basis: 'per_unit',
      quote_expires_at: expires_at,
      locked_rate_id: expect.stringMatching(/^lr_/),
    })
    const prices = async (buyer: 'acme' | 'zenith') => {
      const { avails } = (await market[buyer].get('/sellers/cable/avails?product_id=prime&weeks=2030-W22..2030-W26')).body
      return avails.flatMap(({ period, rates }: { period: { grain: string; start: string }; rates: Record<string, unknown>[] }) =>
        rates.filter(({ gross_rate_unit }) => gross_rate_unit === 77.25 && period.grain === 'week').map(() => period.start),
      )
    }
    expect(await prices('acme')).toEqual(['2030-W22', '2030-W23', '2030-W24', '2030-W25', '2030-W26'])
    expect(await prices('zenith')).toEqual([])
  })

  it('mints products for this buyer alone, as full entries of the seller’s catalog', async () => {
    const orderId = await proposals.asked()
    const lines = [
      proposals.quoted({ product_id: undefined, product: { ...NEW_PRODUCT, external_ref: 'made-1' } }),
      proposals.quoted({
        product_id: undefined,
        product: { ...NEW_PRODUCT, external_ref: 'made-1' },
        period: { grain: 'week', start: '2030-W25' },
      }),
    ]
    await proposals.planned(orderId, { line_items: lines })
    const { artifacts } = (await market.snapshot(orderId)) as unknown as {
      artifacts: { line_items: { product_id: string; minted?: boolean }[] }[]
    }
    const [first, second] = artifacts[0]?.line_items ?? []
    expect([first?.minted, second?.minted, second?.product_id]).toEqual([true, true, first?.product_id])
    const made = first?.product_id as string
    expect(await seenBy('acme')).toContain(made)
    expect(await seenBy('zenith')).not.toContain(made)
    const { products } = (await market.cable.get('/me/catalog')).body
    expect(products.find(({ product_id }: { product_id: string }) => product_id === made)).toMatchObject({
      minted_for: 'acme',
      external_ref: 'made-1',
      name: 'Made for Acme',
    })

    // No path reveals it to the other buyer.
    const asking = { product_id: made, period: { grain: 'week', start: '2030-W24' } }
    expect((await market.zenith.post('/sellers/cable/avails/requests', asking)).body.details.field).toBe('product_id')
    const holding = { seller: 'cable', ttl_minutes: 5, lines: [{ ...asking, units: 1, spot_length: 30 }] }
    await market.cable.put('/me/capabilities', { modes: { proposal: true }, holds: true })
    expect((await market.zenith.post('/holds', holding)).body.details.field).toBe('lines.0.product_id')
    expect((await market.acme.post('/holds', holding)).status).toBe(201)
    const ordering = market.order({ line_items: [market.line({ product_id: made })] })
    expect((await market.zenith.post('/orders', ordering)).body.error_message).toBe(`${made} is not a product of cable.`)
    await market.cable.put('/me/rate-cards', {
      commit: 'for-made',
      effective: { start: '2030-06-03', end: '2030-06-09' },
      entries: [
        {
          product_id: made,
          market_class: 'scatter',
          advertiser_class: 'general',
          spot_length: 30,
          buy_type: 'preemptible',
          gross_rate_unit: 5,
        },
      ],
    })
    const named = async (buyer: 'acme' | 'zenith') =>
      JSON.stringify((await market[buyer].get('/events/feed?events=catalog.rate_card_published&limit=500')).body).includes(made)
    await feedSettled(market.deps.db)
    expect([await named('acme'), await named('zenith')]).toEqual([true, false])

    // A later plan may book it again; a later catalog PUT opens it to nobody.
    await market.cable.put('/me/catalog', { taxonomy_version: 'tax-1', products: [{ ...NEW_PRODUCT, product_id: made, name: 'Renamed' }] })
    expect(await seenBy('zenith')).not.toContain(made)
    const again = await proposals.asked()
    await proposals.planned(again, { line_items: [proposals.quoted({ product_id: made })] })
    const [artifact] = (await market.snapshot(again)).artifacts as { line_items: { minted?: boolean }[] }[]
    expect(artifact?.line_items[0]?.minted).toBe(true)
  })

  it('books the units that a goal needs, rounded up, and shows what was requested', async () => {
    const orderId = await proposals.asked()
    const guaranteed = { buy_type: 'audience_guaranteed', audience_code: 'A25-54', advertiser_class: 'guaranteed' }
    const goal = { units: undefined, impressions_goal: 400_001 }
    const published = { ...guaranteed, cpm: 24.5, locked_rate_id: market.price('prime', '2030-W23', 'guaranteed') }
    const lines = [
      proposals.line(goal, published),
      proposals.quoted(goal, { cpm: 20 }, { ...guaranteed, guaranteed_impressions: 50_000 }),
      proposals.quoted({ impressions_goal: 9, units: 3 }, { unit_cost: 10 }),
    ]
    await proposals.planned(orderId, { line_items: lines })
    const [artifact] = (await market.snapshot(orderId)).artifacts as { line_items: { units: number; num_requested: number }[] }[]
    expect(artifact?.line_items.map(({ units, num_requested }) => [units, num_requested])).toEqual([
      [11, 400_001],
      [9, 400_001],
      [3, 9],
    ])
    await market.acme.post(`/orders/${orderId}/confirm`, { action: 'confirm', actor: 'Bea' })
    // 11 x 40,000 x 24.5 / 1000 + 9 x 50,000 x 20 / 1000 + 3 x 10; what is guaranteed is the card's figure, and the quote's.
    expect((await market.snapshot(orderId)).totals).toEqual({ gross: 19_810, currency: 'USD', impressions: { 'A25-54': 890_000 } })
  })

  it('supersedes the previous plan, which can no longer be confirmed', async () => {
    const orderId = await proposals.asked()
    const [first, second] = [
      await proposals.planned(orderId),
      await proposals.planned(orderId, { line_items: [proposals.line({ units: 2 })] }),
    ]
    expect(second).toMatchObject({ status: 'needs_confirmation', last_seq: 4 })
    const { artifacts } = await market.snapshot(orderId)
    expect((artifacts as { plan_id: string }[]).map(({ plan_id }) => plan_id)).toEqual([second.plan_id])
    const refused = await market.acme.post(`/orders/${orderId}/confirm`, { action: 'confirm', actor: 'Bea', plan_id: first.plan_id })
    expect([refused.status, refused.body.error_code, refused.body.details.plan_id]).toEqual([409, 'CONFLICT', second.plan_id])
  })

  it('replays the same plan_id with the same bytes in every later state of the order', async () => {
    const orderId = await proposals.asked()
    const text = JSON.stringify(
      proposals.plan({ plan_id: 'twice', line_items: [proposals.quoted({ product_id: undefined, product: NEW_PRODUCT })] }),
    )
    const first = await send(orderId, text)
    const counts = async () => [await rowCounts(market.deps.db), (await market.cable.get('/me/catalog')).body.products.length]
    const before = await counts()
    expect((await send(orderId, text)).body).toEqual(first.body)
    expect(await counts()).toEqual(before)
    await proposals.planned(orderId)
    expect((await send(orderId, text)).body).toEqual(first.body)
    await market.acme.post(`/orders/${orderId}/confirm`, { action: 'reject', actor: 'Bea', reason: 'no' })
    expect((await send(orderId, text)).body).toEqual(first.body)
  })

  it.each([
    ['satisfied at the edge', 'auto_accept', 102_000, 'satisfied', 'seller_review', 4],
    ['not satisfied a cent above', 'auto_accept', 102_000.01, 'not_satisfied', 'needs_confirmation', 3],
    ['satisfied, but only flagged', 'flag', 12_505, 'satisfied', 'needs_confirmation', 3],
    ['not evaluable below the sum of its lines', 'auto_accept', 12_504.99, 'not_evaluable', 'needs_confirmation', 3],
    ['not evaluable without a gross', 'auto_accept', undefined, 'not_evaluable', 'needs_confirmation', 3],
  ])('evaluates the acceptance band against the plan: %s', async (_, action, gross, verdict, status, last_seq) => {
    const orderId = await proposals.asked({ acceptance_band: { metric: 'budget', tolerance_pct: 2, action } })
    const reply = await proposals.planned(orderId, { plan_totals: { gross } })
    expect(reply).toMatchObject({ acceptance_band: verdict, status, last_seq })
    const events = (await market.events(orderId)).slice(2)
    expect(events[0]).toMatchObject({ status: 'needs_confirmation', acceptance_band: verdict })
    if (status === 'needs_confirmation') return
    const decision_record = { gate: 'acceptance_band', actor: 'acceptance_band', decision: 'confirm' }
    expect(events[1]).toMatchObject({ status, decision_record, acceptance_band: 'satisfied', units: [{ product_id: 'prime', units: 10 }] })
    expect(await market.snapshot(orderId)).toMatchObject({ line_items: [{ units: 10 }], totals: { gross: 12_505 } })
    const decided = await decideOrder(market, orderId, { decision: 'approve' })
    expect(decided.body).toMatchObject({ status: 'placed', units_accepted: 1 })
  })

  it('returns its expires_at in UTC', async () => {
    const orderId = await proposals.asked()
    await proposals.planned(orderId, { expires_at: '2099-01-01T01:00:00+02:00' })
    const { artifacts } = (await market.snapshot(orderId)) as unknown as { artifacts: { expires_at: string }[] }
    expect(artifacts[0]?.expires_at).toBe('2098-12-31T23:00:00.000Z')
  })

  it('answers the avails requests of its buyer for the products and periods that it books, withheld ones included', async () => {
    const withheld = { disclosure: { avails_policy: 'withheld' } }
    await market.cable.put('/me/catalog', {
      taxonomy_version: 'tax-1',
      products: [aProduct('secret', withheld), aProduct('other', withheld)],
    })
    const ask = async (buyer: 'acme' | 'zenith', product_id: string, start: string) =>
      (await market[buyer].post('/sellers/cable/avails/requests', { product_id, period: { grain: 'week', start } })).body.request_id
    const asked = await ask('acme', 'secret', '2030-W24')
    const open = [
      await ask('acme', 'secret', '2030-W25'),
      await ask('acme', 'other', '2030-W24'),
      await ask('zenith', 'secret', '2030-W24'),
    ]
    const orderId = await proposals.asked()
    const { plan_id } = await proposals.planned(orderId, {
      line_items: [proposals.quoted({ product_id: 'secret' }), proposals.quoted({ product_id: 'secret' })],
    })
    await feedSettled(market.deps.db)
    const answered = async (who: 'acme' | 'zenith' | 'cable') =>
      (await market[who].get('/events/feed?events=catalog.avails_answered')).body.events.map(({ data }: { data: unknown }) => data)
    const answer = { request_id: asked, product_id: 'secret', periods: [{ grain: 'week', start: '2030-W24' }], order_id: orderId, plan_id }
    expect(await answered('acme')).toEqual([answer])
    expect(await answered('cable')).toEqual([answer])
    expect(await answered('zenith')).toEqual([])
    const { items } = (await market.cable.get('/me/avails/requests')).body
    expect(items.map(({ request_id }: { request_id: string }) => request_id)).toEqual(open)
  })
})
