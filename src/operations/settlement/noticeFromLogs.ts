import { MAKEGOOD_ENTRIES } from '../../contract/vocabulary/makegoods.ts'
import { addTo } from '../../domain/addTo.ts'
import { addUp } from '../../domain/addUp.ts'
import { bookedOn, spotKey } from '../../domain/makegood/bookedOn.ts'
import { spotsOf } from '../../domain/makegood/makegoodFacts.ts'
import { noticeMakegood } from '../../domain/makegood/seller.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Database } from '../../store/connection/database.ts'
import { newId } from '../../store/connection/newId.ts'
import { type PreemptedSpots, preemptedSpots } from '../../store/makegoods/preemptedSpots.ts'
import type { OrderLog } from '../../store/orders/orderLog.ts'
import { refuseBeyondBounds, save, withMakegoods } from './changeMakegood.ts'
import { factsOf, NOTHING_SOLD } from './makegoodFacts.ts'

/** The actor of a notice that a log begins. */
const AS_RUN = 'as_run'

/**
 * Begins a makegood for the spots of orders that the logs of their seller say are preempted, before their date or after it, if the seller wants that. Each spot
 * once: also not again after the seller has recalled it. A notice that the rules refuse is left to people.
 */
export async function noticeFromLogs(
  { log, db }: { log: OrderLog; db: Database },
  seller: string,
  orderIds: readonly string[],
): Promise<void> {
  if (orderIds.length === 0) return
  const byOrder = new Map<string, PreemptedSpots[]>()
  for (const spots of await preemptedSpots(db, seller, orderIds)) addTo(byOrder, spots.order_id, spots)
  for (const [orderId, preempted] of byOrder) {
    await beginFor(log, orderId, preempted).catch((error) => {
      if (!(error instanceof Refusal)) throw error
    })
  }
}

async function beginFor(log: OrderLog, orderId: string, preempted: readonly PreemptedSpots[]): Promise<void> {
  await withMakegoods(log, orderId, async (tx, order, known) => {
    const facts = await factsOf(tx, order, known, { missed: preempted }, { ...NOTHING_SOLD, agreement: undefined })
    const noticed = new Map<string, number>()
    for (const { missed } of known.makegoods) {
      for (const { unit_id, date, units } of missed) addUp(noticed, spotKey(unit_id, date), units)
    }
    const spots = spotsOf(facts)
    const booked = bookedOn(order)
    const missed = preempted.flatMap(({ unit_id, date, units }) => {
      const on = booked.get(spotKey(unit_id, date))
      const left = on === undefined ? 0 : spots.left(on) - spots.account(unit_id, date).waiting
      const count = Math.min(units - (noticed.get(spotKey(unit_id, date)) ?? 0), left)
      return count > 0 ? [{ unit_id, date, units: count, reason_code: 'preempted' }] : []
    })
    if (missed.length === 0) return
    const change = noticeMakegood({ for: missed.slice(0, MAKEGOOD_ENTRIES), actor: AS_RUN }, facts)
    await refuseBeyondBounds(tx, order.request.seller, known)
    await save(tx, order, known, { makegood_id: newId('mkg_'), actions: 0 }, change, undefined)
  })
}
