import type { GateDue, OrderStatus, Substatus, Workflow } from '../../contract/vocabulary.ts'

/** Where an order stands: all that its workflow needs to know, and nothing confidential. Times are ISO UTC. */
export interface OrderHead {
  order_id: string
  seller: string
  buyer_entity: string
  workflow: Workflow
  status: OrderStatus
  substatus: Substatus | null
  last_seq: number
  parked_since: string | null
  decide_by: string | null
  due_at: string | null
  settled: boolean
  /** The gate that is to be asked before people decide; null when none is. */
  gate_due: GateDue | null
  /** Why the seller's own API has not decided, in a word for operators and the seller; null when nothing is wrong. */
  stuck_reason: string | null
}

/** Where an order stands after validation; `asks_seller`: its seller's own API is to be asked first, and then validation goes on. */
export type Validated = OrderHead & { asks_seller?: true }
