import type { Side } from '../../../src/contract/vocabulary/access.ts'
import type { Market } from '../market.ts'
import { aLogged, bookedOrder, sendPosts } from './sendPosts.ts'

/** Creates two variances of an order of acme and cable: one that the buyer has accepted, and one that the seller has upheld. */
export async function actedVariances(market: Market): Promise<Record<Side, readonly [order: string, variance: string]>> {
  const order = await bookedOrder(market)
  await sendPosts(
    market,
    'cable',
    ['23:20', '23:30'].map((air_time) => aLogged(order, { air_time })),
  )
  const at = `/orders/${order}/reconciliation`
  const { lines } = (await market.acme.get(`${at}?code=OUT_OF_DAYPART`)).body
  const [accepted, upheld] = lines[0].variances.map(({ variance_id }: { variance_id: string }) => variance_id)
  await market.acme.post(`${at}/variances/${accepted}`, { action: 'accept' })
  await market.acme.post(`${at}/variances/${upheld}`, { action: 'dispute' })
  await market.cable.post(`/me${at}/variances/${upheld}`, { action: 'uphold' })
  return { buyer: [order, accepted], seller: [order, upheld] }
}
