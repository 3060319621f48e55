import { beforeAll, describe, expect, it } from '@jest/globals'
import { tendMakegood } from '../../../src/operations/settlement/tendMakegood.ts'
import { checkInvariants } from '../../support/invariants/invariants.ts'
import { FRIDAY, makegoodsOf } from '../../support/makegoods/makegoodsOf.ts'
import { bookedOrder } from '../../support/settlement/sendPosts.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const { missing, anOffer, notice, offered, answer } = makegoodsOf(market)
const terms = { buyer_entity: 'acme', effective: { start: '2020-01-01', end: '2099-12-31' }, settlement_mode: 'cleared' }
let order: string

/** An order with an agreed makegood of one of three spots, a credit of the two others, its credit note, and an open notice. */
beforeAll(async () => {
  await market.cable.put('/me/agreements/agr-1', terms)
  order = await bookedOrder(market, { agreement_id: 'agr-1' })
  await market.cable.post('/sandbox/settlement', { as_of: '2030-07-01T14:00:00Z' })
  const accepted = await offered(order, { for: [await missing(order, 1, FRIDAY)], offers: [anOffer()] })
  await answer(order, accepted, 'accept')
  const credited: string = (await notice(order, { for: [await missing(order, 2, FRIDAY)] })).body.makegood_id
  await answer(order, credited, 'credit')
  await tendMakegood(market.deps.orders, market.deps.db, credited)
  await notice(order)
})

const OF_ORDER = 'where order_id = $1'
const agreed = (change: string) => `update makegoods set agreed = ${change} ${OF_ORDER} and status = 'accepted'`

describe('the checker sees', () => {
  it('nothing wrong with makegoods that were agreed, credited and noticed', async () => {
    expect(await checkInvariants(market.databaseUrl)).toEqual([])
  })

  it.each([
    [
      'more than is booked',
      `update booked_spots set units = units - 1 ${OF_ORDER} and air_date = '${FRIDAY}'`,
      `update booked_spots set units = units + 1 ${OF_ORDER} and air_date = '${FRIDAY}'`,
      'more is made good',
    ],
    [
      'another price of a spot than the booked one',
      `update makegood_credits set gross = gross - 1 ${OF_ORDER}`,
      `update makegood_credits set gross = gross + 1 ${OF_ORDER}`,
      'does not come to its price',
    ],
    [
      'a credit of what was not missed',
      `update makegood_credits set units = units + 1 ${OF_ORDER}`,
      `update makegood_credits set units = units - 1 ${OF_ORDER}`,
      'what it is not for',
    ],
    [
      'an agreement at another price than its parts',
      agreed(`jsonb_set(agreed::jsonb, '{gross}', '1')::json`),
      agreed(`jsonb_set(agreed::jsonb, '{gross}', '1250.5')::json`),
      'does not cost what it replaces',
    ],
    [
      'a status that no action led to',
      `update makegoods set status = 'declined', due_at = null ${OF_ORDER} and status = 'noticed'`,
      `update makegoods set status = 'noticed', due_at = now() + interval '1 year' ${OF_ORDER} and status = 'declined'`,
      'is not what its actions led to',
    ],
    [
      'a version that no offer raised',
      `update makegoods set version = version + 1 ${OF_ORDER}`,
      `update makegoods set version = version - 1 ${OF_ORDER}`,
      'is not what its actions led to',
    ],
    [
      'a credit note without its makegood',
      `update makegood_credits set broadcast_month = invoice_id, invoice_id = null ${OF_ORDER}`,
      `update makegood_credits set invoice_id = broadcast_month, broadcast_month = '2030-06' ${OF_ORDER}`,
      'is not that of the makegoods',
    ],
  ])('%s', async (_, change, back, problem) => {
    await market.owner().query(change, [order])
    const broken = await checkInvariants(market.databaseUrl)
    await market.owner().query(back, [order])
    expect(
      broken.filter((one) => one.invariant === 'I20' && one.order_id === order && one.problem.includes(problem)).length,
    ).toBeGreaterThan(0)
  })
})
