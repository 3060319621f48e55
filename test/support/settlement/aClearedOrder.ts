import type { OrderState } from '../../../src/domain/order/state.ts'
import { aPlacedOrder, EXAMPLE_LINES } from '../edi/anEdiOrder.ts'
import { anAgreement, type OrderChanges } from '../orders/anOrder.ts'

/** Returns a placed order under a cleared agreement. */
export function aClearedOrder(changes: OrderChanges = {}): OrderState {
  const cleared = anAgreement({ settlement_mode: 'cleared' })
  const { intake, ...more } = changes
  return aPlacedOrder({ agreement_id: cleared.agreement_id, ...more, intake: { agreements: [cleared], ...intake } }).order
}

/** Returns the order of the worked example of order documents, cleared. */
export function theExample(changes: OrderChanges = {}): OrderState {
  return aClearedOrder({ lines: EXAMPLE_LINES, ...changes })
}
