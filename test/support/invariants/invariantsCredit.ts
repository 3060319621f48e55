import type pg from 'pg'
import { NO_LONGER_BILLED } from '../../../src/contract/vocabulary/settlement.ts'
import { type Decimal, decimal, sameAmount, sum } from '../../../src/domain/decimal.ts'
import type { OrderState } from '../../../src/domain/order/state.ts'
import { amountOwed } from '../../../src/domain/settlement/amountOwed.ts'
import { readExposure } from '../../../src/store/tenants/credit.ts'
import type { Violation } from './invariants.ts'
import type { StoredOrder } from './invariantsFold.ts'

/** What the log says to be drawn on the credit of every agreement, gathered order by order, and then held against what the cap is held to. */
export interface CreditOfLog {
  add(order: OrderState, stored: Pick<StoredOrder, 'drawn' | 'settled_gross' | 'invoices'>): Violation[]
  compare(client: pg.Client): Promise<Violation[]>
}

export function creditOfLog(): CreditOfLog {
  const drawing = new Map<string, { order_id: string; drawn: Decimal; isCanceled: boolean }[]>()
  const priorOf = new Map<string, string>()
  const rootOf = (order_id: string): string => {
    let root = order_id
    for (let prior = priorOf.get(root); prior !== undefined; prior = priorOf.get(root)) root = prior
    return root
  }
  const exposureUnder = (agreement_id: string): Decimal => {
    const canceled: Decimal[] = []
    const families = new Map<string, Decimal>()
    for (const { order_id, drawn, isCanceled } of drawing.get(agreement_id) ?? []) {
      const dearest = families.get(rootOf(order_id))
      if (isCanceled) canceled.push(drawn)
      else if (dearest === undefined || drawn.gt(dearest)) families.set(rootOf(order_id), drawn)
    }
    return sum([...canceled, ...families.values()])
  }
  return {
    add(order, stored) {
      const { order_id } = order.facts
      const { agreement_id, revision } = order.request
      if (revision !== undefined) priorOf.set(order_id, revision.supersedes)
      const settled = settledOf(stored)
      const left = amountOwed(order).minus(settled)
      const drawn = left.gt(decimal(0)) ? left : decimal(0)
      if (agreement_id !== undefined) {
        const orders = drawing.get(agreement_id) ?? []
        drawing.set(agreement_id, orders)
        orders.push({ order_id, drawn, isCanceled: order.status === 'canceled' })
      }
      const broken = (problem: string): Violation => ({ invariant: 'I15', order_id, problem })
      return [
        ...(sameAmount(stored.drawn, drawn) ? [] : [broken(`it draws ${stored.drawn}; log and invoices come to ${drawn}`)]),
        ...(sameAmount(stored.settled_gross, settled) ? [] : [broken(`${stored.settled_gross} is settled; its invoices say ${settled}`)]),
      ]
    },
    async compare(client) {
      const { rows } = await client.query<{ agreement_id: string }>(
        `select agreement_id from agreements where body->'credit_limit' is not null`,
      )
      const found: Violation[] = []
      for (const { agreement_id } of rows) {
        const [counted, logged] = [await readExposure(client, agreement_id), exposureUnder(agreement_id)]
        const problem = `${agreement_id} is drawn by ${counted}; the log comes to ${logged}`
        if (!sameAmount(counted, logged)) found.push({ invariant: 'I15', order_id: null, problem })
      }
      return found
    },
  }
}

/** Credit notes, and of invoices that were paid what they had left. What is no longer billed is not drawn in the first place. */
function settledOf({ invoices }: Pick<StoredOrder, 'invoices'>): Decimal {
  const noted = invoices.filter(({ kind }) => kind === 'credit_note')
  const settling = noted.filter(({ reason }) => reason !== NO_LONGER_BILLED)
  const paid = invoices.flatMap(({ kind, invoice_id, gross, paid_at }) => {
    if (kind !== 'invoice' || paid_at === null) return []
    return [gross, ...noted.filter(({ credits, issued_at }) => credits === invoice_id && issued_at < paid_at).map((note) => note.gross)]
  })
  return sum(paid).minus(sum(settling.map(({ gross }) => gross)))
}
