import { refuseBeyondCredit } from '../domain/agreement/settlement.ts'
import { exposureOf } from '../domain/order/exposure.ts'
import type { OrderState } from '../domain/order/state.ts'
import type { Tx } from '../store/connection/database.ts'
import { lockCredit } from '../store/tenants/credit.ts'

/**
 * Returns true if a command draws on the credit of a cleared agreement: the confirm of a proposal or a document, which has no value
 * before, and a counter above its ask. An accept never does, since a countered ask counts at its counter's price (choices, Pacing, credit).
 */
export function drawsOnCredit(before: OrderState, after: OrderState): boolean {
  return after.facts.settlement_mode === 'cleared' && exposureOf(after).gt(exposureOf(before))
}

/** Limits what a command draws to the cap. Runs in the transaction that appends its events, before them (spec, Errors: CREDIT_LIMIT). */
export async function holdToCredit(tx: Tx, before: OrderState, after: OrderState): Promise<void> {
  const { agreement_id } = after.request
  if (agreement_id === undefined || !drawsOnCredit(before, after)) return
  const { credit_limit, exposure, family } = await lockCredit(tx, agreement_id, after.facts.order_id)
  if (credit_limit === null) return
  const gross = exposureOf(after)
  refuseBeyondCredit({ agreement_id, credit_limit, gross }, { exposure, family, own: exposureOf(before) })
}
