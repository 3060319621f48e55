import { expect, it } from '@jest/globals'
import { counterOrder, decideOrder } from '../../support/orders/decisions.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

const AGREEMENTS = ['agr-first', 'agr-second'] as const
const ROUNDS = 5
const ORDERS = 6
const exposureOf = async (id: string): Promise<number> => (await market.acme.get(`/settlement/credit?agreement=${id}`)).body.exposure

/** What both sides may do at once to an order under a capped agreement, with the statuses that are not faults of the service. */
const ACTS = {
  create: { send: (_: string, agreement_id: string) => market.acme.post('/orders', market.order({ agreement_id })), may: [201, 422] },
  revise: {
    send: (supersedes: string, agreement_id: string) =>
      market.acme.post('/orders', market.order({ agreement_id, revision: { supersedes }, line_items: [market.line({ units: 11 })] })),
    may: [201, 422],
  },
  counter: { send: (orderId: string) => counterOrder(market, orderId, { unit_cost: 1300 }), may: [202, 409, 422] },
  approve: { send: (orderId: string) => decideOrder(market, orderId, { decision: 'approve' }), may: [202, 409] },
  reject: { send: (orderId: string) => decideOrder(market, orderId, { decision: 'reject' }), may: [202, 409] },
  cancel: { send: (orderId: string) => market.acme.post(`/orders/${orderId}/cancel`, {}), may: [202, 409] },
}
type Act = keyof typeof ACTS

/** Each order gets two acts at once, and each pair of acts occurs in some round. */
const NAMES = Object.keys(ACTS) as Act[]
const actsOn = (order: number, round: number): [Act, Act] => {
  const [one, other] = [NAMES[order % NAMES.length], NAMES[(order + 1 + round) % NAMES.length]]
  return [one as Act, other as Act]
}

const agreementOf = async (id: string) => (await market.cable.get(`/me/agreements/${id}`)).body
const capAt = async (id: string, credit_limit: number) =>
  expect((await market.cable.put(`/me/agreements/${id}`, { ...(await agreementOf(id)), credit_limit })).status).toBe(200)
const create = async (agreement_id: string) => (await market.acme.post('/orders', market.order({ agreement_id }))).status

it('a cap holds, and there is no deadlock, when orders are created, revised, countered, approved, rejected and canceled at once', async () => {
  const each = (await market.acme.post('/orders?dry_run=true', market.order())).body.totals.gross as number
  const enough = each * 3 * ORDERS * ROUNDS
  const terms = { buyer_entity: 'acme', effective: { start: '2020-01-01', end: '2099-12-31' }, settlement_mode: 'cleared' }
  for (const id of AGREEMENTS) expect((await market.cable.put(`/me/agreements/${id}`, { ...terms, credit_limit: enough })).status).toBe(201)
  const done = new Set<string>()
  for (let round = 0; round < ROUNDS; round += 1) {
    const parked: [orderId: string, agreement: string][] = []
    for (const agreement_id of AGREEMENTS)
      for (let made = 0; made < ORDERS; made += 1) parked.push([await market.parked({ agreement_id }), agreement_id])
    const limits = new Map<string, number>()
    for (const id of AGREEMENTS) {
      limits.set(id, (await exposureOf(id)) + each)
      await capAt(id, limits.get(id) as number)
    }
    await Promise.all(
      parked.flatMap(([orderId, agreement_id], index) =>
        actsOn(index, round).map(async (act) => {
          const { status } = await ACTS[act].send(orderId, agreement_id)
          expect([act, ACTS[act].may]).toEqual([act, expect.arrayContaining([status])])
          done.add(`${act} ${status}`)
        }),
      ),
    )
    for (const id of AGREEMENTS) {
      const exposure = await exposureOf(id)
      expect(exposure).toBeLessThanOrEqual(limits.get(id) as number)
      await capAt(id, exposure)
      expect(await create(id)).toBe(422)
      await capAt(id, exposure + each)
      expect(await create(id)).toBe(201)
      await capAt(id, enough)
    }
  }
  // Each of these succeeded at least once, so that the races were real.
  expect([...done]).toEqual(expect.arrayContaining(['approve 202', 'cancel 202', 'reject 202']))
}, 120_000)
