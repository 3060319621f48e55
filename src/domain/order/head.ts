import type { GateDue, OrderStatus, Substatus, Workflow } from '../../contract/vocabulary.ts'

/** The position of an order: what its workflow needs, without confidential data. Times are ISO UTC. */
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
  /** Whether the workflow has finished its work for an order that has ended; no sweep wakes a closed one. */
  closed: boolean
  /** The gate to ask before people decide; null if there is none. */
  gate_due: GateDue | null
  /** The reason why the seller's own API has not decided, for operators and the seller; null if nothing is wrong. */
  stuck_reason: string | null
}

/** The position of an order, with the statuses that it has passed since an earlier look and left again. */
export type Looked = OrderHead & { passed?: readonly OrderStatus[] }

/** The position of an order after validation. `asks_seller`: validation continues once the seller's own API has been asked. */
export type Validated = OrderHead & { asks_seller?: true }
