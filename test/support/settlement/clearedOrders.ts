import type { Agreement } from '../../../src/contract/agreement.ts'
import { cancel } from '../../../src/domain/order/cancel.ts'
import { decide } from '../../../src/domain/order/decide.ts'
import { validate } from '../../../src/domain/order/validate.ts'
import { applyCommand } from '../../../src/operations/orders/applyCommand.ts'
import type { Database } from '../../../src/store/connection/database.ts'
import type { OrderLog } from '../../../src/store/orders/orderLog.ts'
import { saveAgreement } from '../../../src/store/tenants/agreements.ts'
import { issueCredential } from '../../../src/store/tenants/credentials.ts'
import { operator } from '../../../src/store/tenants/securityEvents.ts'
import { aLine, aMarket, anAgreement, BUYER, CONTEXT, type OrderChanges, SELLER } from '../orders/anOrder.ts'
import { command, stored } from '../orders/storedOrders.ts'

/** Stores the tenants of an order, and a cleared agreement between them with a commission of 15 %. */
export async function clearedAgreement(db: Database, more: Partial<Agreement> = {}): Promise<Agreement> {
  for (const [entity, side] of [
    [BUYER, 'buyer'],
    [SELLER, 'seller'],
  ] as const)
    await issueCredential(db, { entity, side, kind: 'test' }).catch(() => undefined) // two may live concurrently
  const agreement = anAgreement({ settlement_mode: 'cleared', agency_commission_pct: 15, ...more })
  await saveAgreement(db, operator(SELLER, 'seller', 'command_line'), agreement)
  return agreement
}

/** Six units at 100.00 in December 2024, a month that cleared long ago, and three in January 2025. */
export const PAST_LINES = [
  aLine({ period: { grain: 'week', start: '2024-W50' } }),
  aLine({ product_id: 'late', period: { grain: 'week', start: '2025-W02' }, units: 3, rate: { unit_cost: 0.335 } }),
]

/** Creates an order under a cleared agreement that its seller has placed. */
export async function placedUnder(log: OrderLog, agreement: Agreement, changes: OrderChanges = {}): Promise<string> {
  const orderId = await parkedUnder(log, agreement, changes)
  await applyCommand(log, orderId, command(), (order) => decide(order, { decision: 'approve', actor: 'Sam' }, CONTEXT))
  return orderId
}

/** Creates an order under a cleared agreement that waits for its seller. */
export async function parkedUnder(log: OrderLog, agreement: Agreement, { terms, ...more }: OrderChanges = {}): Promise<string> {
  const { agreement_id } = agreement
  const orderId = await stored(log, {
    lines: PAST_LINES,
    agreement_id,
    ...more,
    intake: { agreements: [{ ...agreement, ...(terms === undefined ? {} : { cancellation_terms: terms }) }], ...more.intake },
    ...(terms === undefined ? {} : { terms }),
  })
  await applyCommand(log, orderId, command(), (order) => validate(order, aMarket(order)))
  return orderId
}

export async function canceled(log: OrderLog, orderId: string): Promise<void> {
  await applyCommand(log, orderId, command(), (order, now) => cancel(order, {}, now))
}
