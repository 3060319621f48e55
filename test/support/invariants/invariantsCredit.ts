import type pg from 'pg'
import { type Decimal, sameAmount, sum } from '../../../src/domain/decimal.ts'
import { exposureOf } from '../../../src/domain/order/exposure.ts'
import type { OrderState } from '../../../src/domain/order/state.ts'
import { readExposure } from '../../../src/store/tenants/credit.ts'
import type { Violation } from './invariants.ts'

/** What the log says to be drawn on the credit of every agreement, gathered order by order, and then held against what the cap is held to. */
export interface CreditOfLog {
  add(order: OrderState): void
  compare(client: pg.Client): Promise<Violation[]>
}

export function creditOfLog(): CreditOfLog {
  const open = new Map<string, { order_id: string; exposure: Decimal }[]>()
  const priorOf = new Map<string, string>()
  const rootOf = (order_id: string): string => {
    let root = order_id
    for (let prior = priorOf.get(root); prior !== undefined; prior = priorOf.get(root)) root = prior
    return root
  }
  const exposureUnder = (agreement_id: string): Decimal => {
    const families = new Map<string, Decimal>()
    for (const { order_id, exposure } of open.get(agreement_id) ?? []) {
      const dearest = families.get(rootOf(order_id))
      if (dearest === undefined || exposure.gt(dearest)) families.set(rootOf(order_id), exposure)
    }
    return sum(families.values())
  }
  return {
    add(order) {
      const { order_id } = order.facts
      const { agreement_id, revision } = order.request
      if (revision !== undefined) priorOf.set(order_id, revision.supersedes)
      if (agreement_id === undefined || OVER.has(order.status)) return
      const orders = open.get(agreement_id) ?? []
      open.set(agreement_id, orders)
      orders.push({ order_id, exposure: exposureOf(order) })
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

const OVER: ReadonlySet<string> = new Set(['canceled', 'rejected', 'failed'])
