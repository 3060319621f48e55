import { beforeAll, describe, expect, it } from '@jest/globals'
import type { DecideOrder } from '../../../src/contract/decideOrder.ts'
import type { OrderHead } from '../../../src/domain/order/head.ts'
import { decideByRules } from '../../../src/operations/orders/decideByRules.ts'
import { askDecision } from '../../../src/operations/pull/askDecision.ts'
import { openSellerPermits } from '../../../src/operations/pull/sellerPermits.ts'
import { readHead } from '../../../src/store/orders/orderHead.ts'
import { issueCredential } from '../../../src/store/tenants/credentials.ts'
import { SELLER_SECRET, type SellerServer, startSellerServer } from '../../support/http/sellerServer.ts'
import type { Tenant } from '../../support/market.ts'
import { useMarket } from '../../support/useMarket.ts'

/** The same decision leads to the same events through every gate; only the decision record names the gate. */

const market = useMarket()
let clerk: Tenant
let server: SellerServer
beforeAll(async () => {
  clerk = market.tenant((await issueCredential(market.deps.db, { entity: 'cable', side: 'seller', kind: 'test', gate: 'console' })).token)
  server = await startSellerServer(() => ({ status: 500 }))
  await market.cable.put('/me/secrets/pull', { value: SELLER_SECRET })
})
market.beforeStop(async () => {
  await server.stop()
})

type Ask = Omit<DecideOrder, 'actor'>
type Units = (unitIds: string[]) => Ask
const actor = 'rule:all'

const over = (tenant: () => Tenant) => async (orderId: string, ask: Ask) => {
  const reply = await tenant().post(`/me/orders/${orderId}/decide`, { ...ask, actor })
  expect(reply.status).toBe(202)
}

/** The approval setting of a seller who decides through a gate, and how a decision is made there. `unsupported` lists the gates that cannot make a decision. */
const GATES = {
  api: { approval: 'api', take: over(() => market.cable) },
  console: { approval: 'console', take: over(() => clerk) },
  rule: {
    approval: 'rules',
    take: async (orderId: string, { decision }: Ask) => {
      await market.cable.put('/me/approval-rules', { rules: [{ id: 'all', when: {}, then: decision }] })
      await decideByRules(market.deps.orders, market.deps.db, (await readHead(market.deps.db, orderId)) as OrderHead, `rules:${orderId}`)
    },
  },
  pull: {
    approval: 'pull',
    take: async (orderId: string, ask: Ask) => {
      server.reply(() => ({ status: 200, body: { ...ask, actor } }))
      const { db, orders: log, secrets, outbound } = market.deps
      const sellerPermits = openSellerPermits({ perBuyer: 4, waiting: 4 })
      expect(await askDecision({ db, log, secrets, outbound, sellerPermits }, orderId)).toBe('over')
    },
  },
} as const
type GateName = keyof typeof GATES

const DECISIONS: Record<string, { ask: Units; unsupported: readonly GateName[] }> = {
  approve: { ask: () => ({ decision: 'approve' }), unsupported: [] },
  reject: { ask: () => ({ decision: 'reject' }), unsupported: [] },
  'approve with a reason': { ask: () => ({ decision: 'approve', reason: 'Welcome', seller_order_id: 'S-1' }), unsupported: ['rule'] },
  'reject with a reason': { ask: () => ({ decision: 'reject', reason: 'Sold out' }), unsupported: ['rule'] },
  'approve some': {
    ask: ([first = '', second = '']) => ({
      decision: 'approve',
      units: [
        { unit_id: first, action: 'accept', num_accepted: 2 },
        { unit_id: second, action: 'reject' },
      ],
    }),
    unsupported: ['rule'],
  },
  'counter one line and take some of another': {
    ask: ([first = '', second = '']) => ({
      decision: 'counter',
      units: [
        { unit_id: second, action: 'accept', num_accepted: 4 },
        {
          unit_id: first,
          action: 'counter',
          counter: { week: '2030-W23', unit_cost: 1_300.75, quote_expires_at: '2031-01-01T00:00:00.000Z' },
        },
      ],
      seller_order_id: 'S-2',
    }),
    unsupported: ['rule'],
  },
  counter: {
    ask: ([first = '']) => ({
      decision: 'counter',
      reason: 'That week is full',
      units: [{ unit_id: first, action: 'counter', counter: { week: '2030-W24', unit_cost: 1_100 } }],
    }),
    unsupported: ['rule'],
  },
}

/** An order and its events without ids and timestamps, which differ between orders. The decision record must name the gate. */
async function outcome(gate: GateName, ask: Units) {
  const transports = { pull: { base_url: server.url, secret_ref: 'pull' } }
  await market.cable.put('/me/capabilities', { transports, approval: GATES[gate].approval })
  const orderId = await market.parked({
    external_order_id: `${gate}-${Math.random()}`,
    line_items: [3, 10].map((units) => market.line({ units })),
  })
  const snapshot = await market.snapshot(orderId)
  const unitIds = snapshot.line_items.map(({ unit_id }) => unit_id)
  await GATES[gate].take(orderId, ask(unitIds))
  const events = await market.events(orderId)
  expect(events.at(-1)?.decision_record).toMatchObject({ gate, actor })
  const byLine = (a: { unit_id: string; date: string }, b: { unit_id: string; date: string }) =>
    unitIds.indexOf(a.unit_id) - unitIds.indexOf(b.unit_id) || a.date.localeCompare(b.date)
  const own = new Map([
    [orderId, 'order'],
    [String(snapshot.external_order_id), 'key'],
    [market.price('prime', '2030-W23'), 'the price asked for'],
    ...unitIds.map((id, index) => [id, `line ${index}`] as const),
  ])
  return JSON.parse(
    JSON.stringify([events, await market.snapshot(orderId)], (key, value) => {
      if (/(_at|^since|_by)$/.test(key) && typeof value === 'string') return 'a stamp'
      if (key === 'gate') return 'a gate'
      if (key === 'seconds') return 'a time'
      if (key === 'daylocks') return value.sort(byLine) // by ids, whose order is any order's own
      if (key === 'seller_order_id' && /^so_/.test(value)) return 'made by the platform'
      if (value === 'awaiting_remote_decision') return null // what the order waits for before, and no part of the decision
      if (typeof value === 'string' && !own.has(value) && /^(unit|lr)_/.test(value)) return 'made by the counter'
      return typeof value === 'string' ? (own.get(value) ?? value.replace(orderId, 'order')) : value
    }),
  )
}

describe.each(Object.entries(DECISIONS))('%s', (_, { ask, unsupported }) => {
  it('produces the same events and the same order through every gate that supports it', async () => {
    const others = (Object.keys(GATES) as GateName[]).filter((gate) => gate !== 'api' && !unsupported.includes(gate))
    expect(others.length).toBeGreaterThan(0)
    const expected = await outcome('api', ask)
    for (const gate of others) expect(await outcome(gate, ask)).toEqual(expected)
  })
})
