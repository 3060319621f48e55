import { refuseBeyondCredit } from '../domain/agreement/settlement.ts'
import { totals } from '../domain/order/snapshot.ts'
import type { OrderState } from '../domain/order/state.ts'
import { lockCredit } from '../store/agreements.ts'
import type { Tx } from '../store/database.ts'

/**
 * A proposal or a document comes to something with its confirm: that is when it draws on the credit of a cleared agreement, and is held to the cap,
 * as a catalog order is at create (spec, Errors: CREDIT_LIMIT). Within the transaction that appends the confirm, before it; `after` is the order with it.
 */
export async function holdToCredit(tx: Tx, after: OrderState): Promise<void> {
  const { agreement_id } = after.request
  if (after.facts.settlement_mode !== 'cleared' || agreement_id === undefined) return
  const { credit_limit, exposure } = await lockCredit(tx, agreement_id)
  if (credit_limit === null) return
  // The exposure counts this order as it was: without lines, at nothing.
  refuseBeyondCredit({ agreement_id, credit_limit, gross: totals(after).gross }, exposure)
}
