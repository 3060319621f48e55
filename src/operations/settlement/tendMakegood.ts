import { tendMakegood as decide, type MakegoodTask } from '../../domain/makegood/tend.ts'
import type { Database } from '../../store/connection/database.ts'
import { findMakegood } from '../../store/makegoods/changeMakegoods.ts'
import { followMakegood, readTended } from '../../store/makegoods/makegoodQueue.ts'
import type { OrderLog } from '../../store/orders/orderLog.ts'
import { lockReconciliation } from '../../store/settlement/varianceSteps.ts'
import { save, withMakegoods } from './changeMakegood.ts'
import { issueMakegoodCredits } from './makegoodCredits.ts'
import { factsOf, NOTHING_SOLD, readTerms } from './makegoodFacts.ts'

/**
 * Does what is due for a makegood: ends it if its time has come or its order has ended, gives the credit notes that can be given, and has the order reconciled
 * once it is answered. Returns what is left to wait for; null if there is no such makegood. Idempotent, and safe to be killed at any point.
 */
export async function tendMakegood(log: OrderLog, db: Database, makegoodId: string): Promise<MakegoodTask | null> {
  const tended = await readTended(db, makegoodId)
  if (tended === undefined) return null
  if (tended.is_due) await endDue(log, db, tended.order_id, makegoodId)
  const ended = tended.is_due ? ((await readTended(db, makegoodId)) ?? tended) : tended
  if (!ended.followed) {
    const seller = await giveCredits(log, ended.order_id)
    await followMakegood(db, { makegood_id: makegoodId, seller, updated_at: ended.updated_at })
  }
  const { status, version, due_at } = ended
  return { status, version, due_at }
}

async function endDue(log: OrderLog, db: Database, orderId: string, makegoodId: string): Promise<void> {
  await withMakegoods(log, orderId, async (tx, order, known) => {
    const makegood = await findMakegood(tx, orderId, makegoodId)
    if (makegood === undefined) return
    const agreement = await readTerms(db, order)
    const change = decide(makegood, await factsOf(tx, order, known, makegood, { ...NOTHING_SOLD, agreement }))
    if (change !== undefined) await save(tx, order, known, { makegood_id: makegoodId, actions: makegood.steps.length }, change, 'its run')
  })
}

/** Issues the credit notes of an order that are due to makegoods. Returns the seller. */
function giveCredits(log: OrderLog, orderId: string): Promise<string> {
  return log.exclusively(orderId, async ({ order }, { tx }) => {
    await lockReconciliation(tx, orderId)
    await issueMakegoodCredits(tx, order)
    return order.request.seller
  })
}
