import { refuseBeyondCredit } from '../../domain/agreement/settlement.ts'
import type { OrderHead } from '../../domain/order/head.ts'
import type { PlacedRevision } from '../../domain/order/supersede.ts'
import { type CreditDraw, isOneStatement, type Writes } from '../../domain/order/writesOf.ts'
import { saveMinted } from '../../store/catalog/mintedProducts.ts'
import type { Tx } from '../../store/connection/database.ts'
import type { Append } from '../../store/orders/command.ts'
import type { Appendable, Appended, OpenOrder } from '../../store/orders/openOrder.ts'
import { lockCredit } from '../../store/tenants/credit.ts'
import { countRule } from '../../store/tenants/ruleActivity.ts'
import { answerPlanned } from '../publishing/answerAvailsRequests.ts'

/** `needs_lock`: nothing was written. It must be decided again under the order's lock. */
export type Written = { kind: 'written'; head: OrderHead } | { kind: 'needs_lock' }

/** Writes everything that a decision writes, in one commit. Errors: Refusal CREDIT_LIMIT, DUPLICATE_EXTERNAL_REF. */
export async function write(open: OpenOrder, command: Append['command'], writes: Writes<unknown, Appendable>): Promise<Written> {
  if (open.held !== undefined) await writeBeside(open.held.tx, writes)
  else if (!isOneStatement(writes)) return { kind: 'needs_lock' }
  for (const { member, by, writes: end } of writes.ends) await append(member, superseding(by), end)
  const appended = await append(open, command, writes)
  if (appended.kind === 'moved') return { kind: 'needs_lock' }
  await open.commit()
  return { kind: 'written', head: appended.head }
}

/** Writes what becomes true with the events of a decision, outside the order's log. */
async function writeBeside(tx: Tx, { after, draw, minted, plan, rule }: Writes<unknown>): Promise<void> {
  const { seller } = after.request
  const { order_id, buyer_entity } = after.facts
  await holdToCredit(tx, order_id, draw)
  await saveMinted(tx, seller, buyer_entity, minted)
  if (plan !== undefined) await answerPlanned(tx, { seller, buyer_entity, order_id, plan_id: plan.plan_id, lines: plan.line_items })
  if (rule !== undefined) await countRule(tx, seller, order_id, rule)
}

/** Limits what a command draws to the cap of its agreement, which nothing else can draw on until the commit (contract, Credit). */
export async function holdToCredit(tx: Tx, orderId: string, draw: CreditDraw | undefined): Promise<void> {
  if (draw === undefined) return
  const { agreement_id, gross, own } = draw
  const { credit_limit, exposure, family } = await lockCredit(tx, agreement_id, orderId)
  if (credit_limit !== null) refuseBeyondCredit({ agreement_id, credit_limit, gross }, { exposure, family, own })
}

function append(order: Appendable, command: Append['command'], writes: Writes<unknown>): Promise<Appended> {
  const { after, events, quotes, ended, gate_due, outcome } = writes
  return order.append({ after, events, quotes, ended, gate_due, command, outcome: JSON.stringify(outcome) })
}

/** The command that ends an order because another one of its family was placed. */
export function superseding(by: PlacedRevision): Append['command'] {
  return { id: `order:${by.order_id}:supersede`, wake: true }
}
