import type pg from 'pg'
import { NO_LONGER_BILLED } from '../../../src/contract/vocabulary/settlement.ts'
import { type Decimal, decimal, sameAmount, sum } from '../../../src/domain/decimal.ts'
import type { OrderState } from '../../../src/domain/order/state.ts'
import { amountOwed } from '../../../src/domain/settlement/amountOwed.ts'
import { readExposure } from '../../../src/store/tenants/credit.ts'
import type { Violation } from './invariants.ts'
import type { StoredOrder } from './invariantsFold.ts'

/** The amounts that the log draws on each agreement's credit, gathered order by order and then compared with those that the cap limits. */
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
      const largest = families.get(rootOf(order_id))
      if (isCanceled) canceled.push(drawn)
      else if (largest === undefined || drawn.gt(largest)) families.set(rootOf(order_id), drawn)
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
      const byOrders = await drawnByOrders(client)
      const found: Violation[] = []
      for (const agreement_id of new Set([...byOrders.keys(), ...drawing.keys()])) {
        const logged = exposureUnder(agreement_id)
        const counted = { figure: await readExposure(client, agreement_id), orders: byOrders.get(agreement_id) ?? '0' }
        for (const [where, amount] of Object.entries(counted)) {
          const problem = `${agreement_id} is drawn by ${amount}, says its ${where}; the log comes to ${logged}`
          if (!sameAmount(amount, logged)) found.push({ invariant: 'I15', order_id: null, problem })
        }
      }
      return found
    },
  }
}

/** Returns the sums of the orders themselves as decimal text, by agreement: each that orders name or that has a figure. */
export async function drawnByOrders(on: Pick<pg.Pool, 'query'>): Promise<Map<string, string>> {
  const { rows } = await on.query<{ agreement_id: string; drawn: string }>(DRAWN_BY_ORDERS)
  return new Map(rows.map(({ agreement_id, drawn }) => [agreement_id, drawn]))
}

const DRAWN_BY_ORDERS = `
  select agreement_id, sum(drawn)::text as drawn from (
    select agreement_id, coalesce(sum(drawn) filter (where status = 'canceled'), 0) + coalesce(max(drawn) filter (where status <> 'canceled'), 0) as drawn
    from orders where agreement_id is not null group by agreement_id, root, case when root is null then order_id end
    union all
    select agreement_id, 0 from credit_drawn
    union all
    select agreement_id, 0 from credit_changes
  ) drawing group by agreement_id`

/** Returns credit notes plus what paid invoices had left. What is no longer billed was not drawn in the first place. */
function settledOf({ invoices }: Pick<StoredOrder, 'invoices'>): Decimal {
  const noted = invoices.filter(({ kind }) => kind === 'credit_note')
  const settling = noted.filter(({ reason }) => reason !== NO_LONGER_BILLED)
  const paid = invoices.flatMap(({ kind, invoice_id, gross, paid_at }) => {
    if (kind !== 'invoice' || paid_at === null) return []
    return [gross, ...noted.filter(({ credits, issued_at }) => credits === invoice_id && issued_at < paid_at).map((note) => note.gross)]
  })
  return sum(paid).minus(sum(settling.map(({ gross }) => gross)))
}
