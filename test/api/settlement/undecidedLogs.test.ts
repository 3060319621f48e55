import { beforeEach, describe, expect, it } from '@jest/globals'
import { aLogged, bookedOrder, sendPosts } from '../../support/settlement/sendPosts.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
// Any log of a day counts for every order that is booked on it.
beforeEach(() => market.owner().query('delete from as_run_days'))

/** The order books four spots on Monday, 2030-06-03, and three on each of two later days. */
const TIMES = ['20:10', '20:40', '21:10', '21:40']
const log = (order: string, statuses: readonly string[], more: object = {}) =>
  sendPosts(
    market,
    'cable',
    statuses.map((status, index) => aLogged(order, { air_time: TIMES[index], status, ...more })),
  )
const figures = async (order: string) => {
  const { body } = await market.acme.get(`/orders/${order}/reconciliation`)
  const { aired_in_spec, missed, open } = body.totals ?? { aired_in_spec: 0, missed: 0, open: 10 }
  const codes = (body.lines as { variances: { code: string; units: number }[] }[]).flatMap(({ variances }) => variances)
  return [aired_in_spec, missed, open, codes.map(({ code, units }) => `${code} ${units}`).join()]
}
const AIRED = ['Aired', 'Aired', 'Aired', 'Aired']

describe('a row of a log', () => {
  it('says that a spot aired in any of the words of traffic systems', async () => {
    const order = await bookedOrder(market)
    await log(order, ['Ran', 'OK', 'As Ordered', 'Played'])
    expect(await figures(order)).toEqual([4, 0, 6, ''])
  })

  it('says that it did not in others', async () => {
    const order = await bookedOrder(market)
    await log(order, ['Ran', 'Pre-empted', 'Cancelled', 'Ran'])
    expect(await figures(order)).toEqual([2, 2, 6, 'MISSED 1,MISSED 1'])
  })
})

describe('a row of a log that says nothing yet', () => {
  it.each([['Scheduled'], ['Finalized'], ['Zorp']])('makes no spot missed: %s', async (status) => {
    const order = await bookedOrder(market)
    await log(order, [status, status, status, status])
    expect(await figures(order)).toEqual([0, 0, 10, ''])
    await log(order, ['Aired', 'Aired', status])
    expect(await figures(order)).toEqual([2, 0, 8, ''])
    // The log that decides has one spot less than is booked.
    await log(order, ['Aired', 'Aired', 'Aired'])
    expect(await figures(order)).toEqual([3, 1, 6, 'ORDERED_NOT_RUN 1'])
  })

  it('takes back nothing that an earlier log has said', async () => {
    const order = await bookedOrder(market)
    await log(order, ['Aired', 'Aired', 'Aired'])
    await log(order, ['Scheduled', 'Scheduled', 'Scheduled', 'Scheduled'])
    expect(await figures(order)).toEqual([3, 1, 6, 'ORDERED_NOT_RUN 1'])
    await log(order, AIRED)
    expect(await figures(order)).toEqual([4, 0, 6, ''])
  })

  it('keeps no other order open', async () => {
    const [order, other] = [await bookedOrder(market), await bookedOrder(market)]
    const log_id = `of-both-${order}`
    await sendPosts(market, 'cable', [
      aLogged(order, { log_id, status: 'Scheduled' }),
      ...TIMES.slice(1).map((air_time) => aLogged(other, { log_id, air_time })),
    ])
    expect([await figures(order), await figures(other)]).toEqual([
      [0, 0, 10, ''],
      [3, 1, 6, 'ORDERED_NOT_RUN 1'],
    ])
    // A log that says nothing more of the first order decides its day.
    await sendPosts(
      market,
      'cable',
      TIMES.map((air_time) => aLogged(other, { log_id, air_time })),
    )
    expect([await figures(order), await figures(other)]).toEqual([
      [0, 4, 6, 'ORDERED_NOT_RUN 4'],
      [4, 0, 6, ''],
    ])
  })
})
