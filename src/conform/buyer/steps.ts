import { type Holds, NotHeld } from '../story.ts'
import type { WireReply } from '../wire.ts'
import type { Brief, Driven } from './drive.ts'
import type { BuyerWorld } from './world.ts'

/** Steps that several stories share. */

export function catalogBrief({ brief, shop }: BuyerWorld, story: string, more: Partial<Brief>): Brief {
  return brief(story, { product_id: shop.product_id, week: shop.week, units: 3, ...more })
}

export async function ended(program: Driven, holds: Holds): Promise<void> {
  await holds('the program sees the end of the order, and ends', () => program.ended())
}

/** The one order of the run that has the advertiser of a brief, whatever number it was sent under. */
export async function oneOrder({ shop }: BuyerWorld, holds: Holds, { advertiser_id }: Brief): Promise<void> {
  await holds('exactly one order exists', async () => {
    const { orders } = (await shop.wire.get(`/me/orders?advertiser_id=${advertiser_id}`)).body
    if (orders.length !== 1) throw new NotHeld(`there are ${orders.length}`, 'keep the external_order_id of an order whose reply was lost')
  })
}

/** Returns the only one of some events; fails if there are more or none. */
export function only(events: readonly WireReply['body'][], what: string): WireReply['body'] {
  if (events.length === 1) return events[0]
  throw new NotHeld(`the log has ${events.length} events of the ${what}`, 'act once on each event: dedup on (order_id, seq)')
}
