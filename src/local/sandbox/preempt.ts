import type { LineResult } from '../../contract/lineItem.ts'
import type { NoticeMakegood, OfferMakegood } from '../../contract/makegood.ts'
import type { OrderSnapshot } from '../../contract/order.ts'
import { dateOf, type IsoDate } from '../../domain/calendar.ts'
import type { Operations } from '../../sdk/ownClient.ts'
import { habitOf } from './habits.ts'
import type { NextLook } from './plans.ts'
import { ACTOR, AFTER_S } from './sellerMoves.ts'

type Placed = Pick<OrderSnapshot, 'seller' | 'order_id' | 'line_items'>

/**
 * Says of each line that is preempted that a unit does not air, and a second later offers another one for it, through /v1 alone. What was begun before is not
 * begun again, whatever became of it. Returns when to look again; `now` and the result are epoch milliseconds.
 */
export async function preempt(client: Operations, order: Placed, now: number): Promise<NextLook> {
  const lines = order.line_items.filter(({ product_id, num_accepted }) => {
    return num_accepted > 0 && habitOf(order.seller, product_id)?.preempted === true
  })
  if (lines.length === 0) return null
  const path = { order_id: order.order_id }
  const { items } = (await client.listReceivedOrderMakegoods({ path, query: { limit: 500 } })).body
  const looks: number[] = []
  for (const line of lines) {
    const known = items.find((makegood) => makegood.for.some(({ unit_id }) => unit_id === line.unit_id))
    if (known === undefined) {
      await client.noticeMakegood({ path, body: noticeOf(line), headers: { 'Idempotency-Key': `sandbox-${line.unit_id}` } })
      looks.push(now + AFTER_S * 1_000)
      continue
    }
    const offer = offerFor(line, dateOf(new Date(now).toISOString()))
    if (known.status !== 'noticed' || offer === undefined) continue
    const due = Date.parse(known.created_at) + AFTER_S * 1_000
    if (due > now) looks.push(due)
    else await client.reviseMakegood({ path: { ...path, makegood_id: known.makegood_id }, body: offered(offer, known.version) })
  }
  return looks.length === 0 ? null : Math.min(...looks)
}

/** The first date of a line loses a unit. */
export function noticeOf(line: Pick<LineResult, 'unit_id' | 'allocation'>): NoticeMakegood {
  const [first = ''] = datesOf(line)
  const missed = { unit_id: line.unit_id, date: first, units: 1, reason_code: 'preempted', reason: 'Breaking news' }
  return { for: [missed], actor: ACTOR }
}

/** Returns an offer on the next date that the line books, from the day after today on; undefined if there is none. */
export function offerFor(line: Pick<LineResult, 'product_id' | 'spot_length' | 'allocation'>, today: IsoDate): OfferMakegood | undefined {
  const date = datesOf(line)
    .slice(1)
    .find((each) => each > today)
  return date === undefined ? undefined : { product_id: line.product_id, date, units: 1, spot_length: line.spot_length }
}

function offered(offer: OfferMakegood, version: number) {
  return { action: 'offer' as const, offers: [offer], version, actor: ACTOR }
}

function datesOf({ allocation }: Pick<LineResult, 'allocation'>): IsoDate[] {
  return allocation.map(({ date }) => date).sort()
}
