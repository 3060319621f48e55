import { expect, it } from '@jest/globals'
import { MAKEGOODS_PER_ORDER } from '../../src/contract/vocabulary/makegoods.ts'
import { makegoodsOf } from '../support/makegoods/makegoodsOf.ts'
import { bookedOrder } from '../support/settlement/sendPosts.ts'
import { useMarket } from '../support/useMarket.ts'
import { scale } from './support/scale.ts'
import { report } from './support/table.ts'
import { expectWithin } from './support/timing.ts'
import { besideQuiet, quiet, victim } from './support/victim.ts'

const market = useMarket()
const { missing, notice, revise } = makegoodsOf(market)

it('a flood of notices of one order ends at its bound, and another tenant keeps ordering', async () => {
  const mine = async () => {
    const { status } = await market.zenith.post('/orders', market.order())
    expect(status).toBe(201)
  }
  const calm = await quiet(mine, { calls: scale(10, 100) })

  const order = await bookedOrder(market)
  const spot = await missing(order)
  const most = scale(100, 2 * MAKEGOODS_PER_ORDER)
  const answers = new Map<string, number>()
  let sent = 0
  // What is recalled can be noticed again, so that only the bound of the order ends the flood.
  const flood = async () => {
    while (sent < most) {
      sent += 1
      const { status, body } = await notice(order, { for: [spot] })
      const answer = status === 201 ? '201' : `${status} ${body.details?.bound ?? body.details?.field ?? body.error_code}`
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
      if (status === 201) await revise(order, body.makegood_id, { action: 'recall' })
    }
  }
  const besideFlood = await victim(mine, Promise.all(Array.from({ length: 16 }, flood)), { least: 5 })

  report('notices of one order', { ...besideQuiet(calm, besideFlood), ...Object.fromEntries([...answers].sort()) })
  expect(besideFlood.failures).toEqual([])
  expectWithin(besideFlood.p99, Math.max(5 * calm.p99, 1_000))
  const { rows } = await market.owner().query<{ made: number }>('select count(*)::int as made from makegoods where order_id = $1', [order])
  expect(rows[0]?.made).toBe(answers.get('201'))
  expect(rows[0]?.made).toBeLessThanOrEqual(MAKEGOODS_PER_ORDER)
  if (most > MAKEGOODS_PER_ORDER) expect(answers.get('422 MAKEGOODS_PER_ORDER')).toBeGreaterThan(0)
  expect([...answers.keys()].filter((answer) => !/^(201|422 .*|429 .*|503 .*)$/.test(answer))).toEqual([])
}, 240_000)
