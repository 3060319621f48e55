import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { scale } from '../attack/support/scale.ts'
import { type FuzzedRequest, fuzzedRequests } from '../support/fuzz.ts'
import { checkReply } from '../support/http/contract.ts'
import { useLoggedServer } from '../support/http/useLoggedServer.ts'
import { checkInvariants } from '../support/invariants/invariants.ts'
import { WEEKS } from '../support/market.ts'
import { aCard, aCatalog, anAvail, aProduct, aRate } from '../support/orders/published.ts'
import { useMarket } from '../support/useMarket.ts'

const RUNS = Number(process.env.FUZZ_RUNS ?? scale(2_000, 5_000))
/** Sent concurrently, since most of the time is spent waiting for the database. */
const BATCH = 5

const market = useMarket()
const server = useLoggedServer(market)

async function seeds() {
  const orders = [await market.created(), await market.parked(), await market.placed()]
  const [unit_id] = (await market.snapshot(orders[1] ?? '')).line_items.map((line) => line.unit_id)
  const effective = { start: '2030-05-27', end: '2030-06-30' }
  await market.cable.put('/me/agreements/agr-1', { buyer_entity: 'acme', effective })
  const profile = { modes: { catalog: true, proposal: true, document: true }, holds: true, negotiation: true }
  await market.cable.put('/me/capabilities', profile)
  const hold = {
    seller: 'cable',
    lines: [{ product_id: 'prime', period: { grain: 'week', start: '2030-W23' }, units: 1, spot_length: 30 }],
    ttl_minutes: 60,
  }
  const hold_id = (await market.acme.post('/holds', hold)).body.hold_id as string
  const proposal = await market.created({ line_items: undefined, request: { request_type: 'specs' } })
  await market.validate(proposal)
  const { locked_rate_id: _, unit_cost: __, ...unpriced } = market.line().rate as Record<string, unknown>
  const { product_id: ___, ...product } = aProduct('any')
  const quote = { unit_cost: 5, expires_at: '2099-01-02T00:00:00Z' }
  const plan = { line_items: [market.line()], plan_totals: { gross: 5, projected_delivery: { A: 5 } }, expires_at: '2099-01-01T00:00:00Z' }
  const creative = (await market.acme.post('/creatives', { creative_code: 'c', name: 'n', length_seconds: 30 })).body.creative_id as string
  // Several, since requests delete them as well.
  const hooks: string[] = []
  for (let n = 0; n < 8; n += 1)
    hooks.push((await market.cable.post('/webhooks/endpoints', { url: `https://hooks.cable.example/${n}` })).body.endpoint_id)
  return {
    names: [
      ...orders,
      proposal,
      'prime',
      'weekend',
      'cable',
      'acme',
      'june',
      'agr-1',
      creative,
      market.price('prime', '2030-W23'),
      WEEKS[0],
    ],
    params: {
      order_id: [...orders, proposal],
      seller: ['cable'],
      commit: ['june'],
      agreement_id: ['agr-1'],
      buyer_entity: ['acme'],
      creative_id: [creative],
      endpoint_id: hooks,
      hold_id: [hold_id],
    },
    bodies: {
      'post /orders': [
        market.order({
          line_items: [market.line({ period: { grain: 'day', start: '2030-06-05' } }), market.line({ creative_id: creative })],
        }),
        market.order({
          flight: effective,
          notify_url: 'https://x.example',
          buyer_metadata: { advertiser_id: 'a', buyer_contact: { more: {} } },
        }),
      ],
      'post /orders/:order_id/confirm': [
        { action: 'reject', actor: 'Bea', reason: 'r', plan_id: 'P' },
        { action: 'confirm', actor: 'Bea', resolutions: [{ line: 1, units: 2, period: { grain: 'week', start: '2030-W23' } }] },
      ],
      'post /orders/:order_id/respond': [{ action: 'accept', actor: 'Bea', as_of: '2030-01-01T00:00:00Z' }],
      'post /me/orders/:order_id/plan': [
        { ...plan, plan_id: 'P', unmet: ['x'] },
        {
          ...plan,
          line_items: [market.line({ rate: unpriced, quote }), market.line({ product_id: undefined, product, rate: unpriced, quote })],
        },
      ],
      'post /orders/:order_id/cancel': [{}, { reason: 'r', actor: 'a', as_of: '2030-01-01T00:00:00Z' }],
      'post /me/orders/:order_id/decide': [
        { decision: 'approve', actor: 'Ada', units: [{ unit_id, action: 'accept', num_accepted: 1 }] },
        { decision: 'reject', actor: 'Ada', reason: 'r' },
        { decision: 'counter', actor: 'Ada', units: [{ unit_id, action: 'counter', counter: { week: '2030-W24', unit_cost: 5 } }] },
      ],
      'patch /webhooks/endpoints/:endpoint_id': [{ statuses: ['placed'] }, { url: 'https://hooks.cable.example/v2', statuses: null }],
      'post /holds': [hold],
      'put /me/capabilities': [profile],
      'put /me/approval-rules': [{ rules: [{ id: 'all', when: { max_gross: 100 }, then: 'hold' }] }],
      'put /me/catalog': [aCatalog(aProduct('new'), aProduct('ref', { external_ref: 'r', currencies: ['A'], billboard: {} }))],
      'put /me/rate-cards': [aCard('fuzzed', [aRate('prime', { window: { closes: '2030-06-01T00:00:00Z' } })], { effective })],
      'put /me/avails': [{ avails: [anAvail('prime', { impressions: { source: 's', stream: 'x', 'A25-54': { per_spot: 5 } } })] }],
    },
  }
}

async function send({ method, url, side, headers, body }: FuzzedRequest) {
  const asking = { buyer: market.acme, any: market.cable, seller: market.cable, operator: market.operations }[side]
  const credential = { authorization: `Bearer ${asking.token}` }
  const reply = await fetch(server.baseUrl + url, {
    method,
    headers: { ...credential, ...headers },
    ...(body === undefined || method === 'GET' ? {} : { body }),
  })
  return { status: reply.status, headers: Object.fromEntries(reply.headers), text: await reply.text() }
}

describe('the service under requests of every kind', () => {
  it(`answers ${RUNS} of them as in the contract, never with a fault of its own, and keeps its invariants`, async () => {
    const statuses = new Map<number, number>()
    const served = new Set<string>()
    await fc.assert(
      fc.asyncProperty(fc.array(fuzzedRequests(await seeds()), { minLength: BATCH, maxLength: BATCH }), async (requests) => {
        const replies = await Promise.all(requests.map(async (request) => ({ request, reply: await send(request) })))
        expect(server.logged.splice(0)).toEqual([])
        for (const { request, reply } of replies) {
          checkReply(request.method, request.url, reply)
          statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
          if (reply.status < 300) served.add(request.method)
        }
      }),
      { numRuns: RUNS / BATCH, endOnFailure: true },
    )
    // Enough requests passed authentication and validation to mean something.
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 202, 400, 401, 403, 404, 415, 422]))
    // One operation alone takes PATCH, which is too few requests to be sure of one that succeeds.
    expect([...served]).toEqual(expect.arrayContaining(['GET', 'POST', 'PUT', 'DELETE']))
    expect((statuses.get(200) ?? 0) / RUNS).toBeGreaterThan(0.1)
    expect(await checkInvariants(market.databaseUrl)).toEqual([])
    expect(({} as Record<string, unknown>).status).toBeUndefined()
  }, 240_000)
})
