import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { tendMakegood } from '../../src/operations/settlement/tendMakegood.ts'
import { sweepMakegoods } from '../../src/store/makegoods/makegoodQueue.ts'
import { postWith } from '../support/http/postWith.ts'
import { FRIDAY, MONDAY, makegoodsOf, WEDNESDAY } from '../support/makegoods/makegoodsOf.ts'
import { bookedOrder } from '../support/settlement/sendPosts.ts'
import { useMarket } from '../support/useMarket.ts'

/**
 * Whole lives of makegoods: whatever the parties send, once or twice at once, and whatever is lost between a commit and its run, the service does what the
 * reference model says. MODEL_RUNS=500 for more of them. The invariants are checked when the file ends.
 */
const RUNS = Number(process.env.MODEL_RUNS ?? 40)

const market = useMarket()
const { anOffer, unitOf } = makegoodsOf(market)

/** What the market's order books. */
const BOOKED: Readonly<Record<string, number>> = { [MONDAY]: 4, [WEDNESDAY]: 3, [FRIDAY]: 3 }

type Verb = 'notice' | 'offer' | 'recall' | 'accept' | 'decline' | 'credit' | 'expire' | 'lose'
interface Step {
  readonly verb: Verb
  /** Which of the makegoods so far. */
  readonly of: number
  readonly units: number
  readonly date: string
  readonly offers: boolean
  /** Added to the version that the sender names. */
  readonly stale: boolean
  /** Whether the request is sent twice at once. */
  readonly doubled: boolean
}

const someStep: fc.Arbitrary<Step> = fc.record({
  verb: fc.constantFrom<Verb>('notice', 'notice', 'offer', 'recall', 'accept', 'accept', 'decline', 'credit', 'expire', 'lose'),
  of: fc.nat(3),
  units: fc.integer({ min: 1, max: 4 }),
  date: fc.constantFrom(MONDAY, WEDNESDAY, FRIDAY),
  offers: fc.boolean(),
  stale: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  doubled: fc.boolean(),
})

interface Modeled {
  id: string
  status: string
  version: number
  units: number
  date: string
}

/** Returns the status of the reply, and changes the model as the service must. */
function modelOf(made: Modeled[], step: Step): number {
  const taken = ({ status }: Modeled) => ['noticed', 'offered', 'accepted', 'credited'].includes(status)
  if (step.verb === 'notice') {
    const used = made.filter((one) => one.date === step.date && taken(one)).reduce((total, { units }) => total + units, 0)
    if (step.units > (BOOKED[step.date] ?? 0) - used) return 422
    made.push({ id: '', status: step.offers ? 'offered' : 'noticed', version: 1, units: step.units, date: step.date })
    return 201
  }
  const one = made[step.of % made.length]
  if (one === undefined) return 0
  const isOpen = one.status === 'noticed' || one.status === 'offered'
  if (step.verb === 'lose') return 0
  if (step.verb === 'expire') {
    if (one.status === 'offered') one.status = 'expired'
    return 0
  }
  if (!isOpen || step.stale) return 409
  if ((step.verb === 'accept' || step.verb === 'decline') && one.status !== 'offered') return 409
  if (step.verb === 'offer') one.version += 1
  one.status = { offer: 'offered', recall: 'recalled', accept: 'accepted', decline: 'declined', credit: 'credited' }[step.verb as 'offer']
  return 200
}

async function live(order: string, unit_id: string, steps: readonly Step[]): Promise<void> {
  const made: Modeled[] = []
  const post = async (who: 'acme' | 'cable', path: string, key: string, body: object, doubled: boolean) => {
    const send = () =>
      postWith(market, market[who], `${who === 'cable' ? '/me' : ''}/orders/${order}/makegoods${path}`, { 'Idempotency-Key': key }, body)
    const replies = await Promise.all(doubled ? [send(), send()] : [send()])
    expect(new Set(replies.map(({ status, body: said }) => `${status} ${said.makegood_id} ${said.status} ${said.version}`)).size).toBe(1)
    return replies[0] as (typeof replies)[number]
  }
  for (const [index, step] of steps.entries()) {
    const before = made.length
    const target = made[step.of % Math.max(before, 1)]
    const named = target && { ...target }
    const expected = modelOf(made, step)
    if (step.verb === 'lose') await market.owner().query(`delete from outbox where kind = 'makegood'`)
    if (step.verb === 'expire' && named?.status === 'offered')
      await market.owner().query(`update makegoods set expires_at = now(), due_at = now() where makegood_id = $1`, [named.id])
    if (expected === 0) continue
    const key = `k-${index}`
    if (step.verb === 'notice') {
      const spot = { unit_id, date: step.date, units: step.units, reason_code: 'preempted' }
      const reply = await post('cable', '', key, { for: [spot], ...(step.offers ? { offers: [anOffer({ units: 2 })] } : {}) }, step.doubled)
      expect([step, reply.status]).toEqual([step, expected])
      const last = made.at(-1)
      if (expected === 201 && last !== undefined) last.id = reply.body.makegood_id
      continue
    }
    if (named === undefined) continue
    const version = named.version + (step.stale ? 1 : 0)
    const isSellers = step.verb === 'offer' || step.verb === 'recall'
    const body = { action: step.verb, version, ...(step.verb === 'offer' ? { offers: [anOffer({ units: 2 })] } : {}) }
    const reply = await post(isSellers ? 'cable' : 'acme', `/${named.id}`, key, body, step.doubled)
    expect([step, reply.status]).toEqual([step, expected])
  }
  await market
    .owner()
    .query(
      `update makegoods set updated_at = updated_at - interval '2 minutes', due_at = due_at - interval '2 minutes' where order_id = $1 and due_at <= now()`,
      [order],
    )
  await sweepMakegoods(market.deps.db)
  const { items } = (await market.acme.get(`/orders/${order}/makegoods`)).body
  for (const { makegood_id } of items) await Promise.all([1, 2].map(() => tendMakegood(market.deps.orders, market.deps.db, makegood_id)))
  const { rows } = await market
    .owner()
    .query<{ makegood_id: string; status: string; version: number }>(
      'select makegood_id, status, version from makegoods where order_id = $1',
      [order],
    )
  const states = new Map(rows.map(({ makegood_id, status, version }) => [makegood_id, `${status} ${version}`]))
  expect(states).toEqual(new Map(made.map(({ id, status, version }) => [id, `${status} ${version}`])))
}

describe('makegoods of an order', () => {
  it('are what the model says, whatever is sent, doubled or lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(someStep, { minLength: 4, maxLength: 18 }), async (steps) => {
        const order = await bookedOrder(market)
        await live(order, await unitOf(order), steps)
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
  }, 300_000)
})
