import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { HoldLine } from '../../contract/hold.ts'
import type { GateDue, HoldStatus, OrderStatus, Substatus, Workflow } from '../../contract/vocabulary.ts'
import type { DefaultTime, OptionalTime, Time } from '../connection/columnTypes.ts'

/** The tables of orders with their events, holds, and remaining work. */
export interface OrderTables {
  orders: {
    order_id: string
    seller: string
    buyer_entity: string
    external_order_id: string
    workflow: Workflow
    status: OrderStatus
    substatus: Substatus | null
    last_seq: number
    created_at: Time
    updated_at: Time
    parked_since: OptionalTime
    decide_by: OptionalTime
    due_at: OptionalTime
    closed: Generated<boolean>
    gate_due: GateDue | null
    stuck_reason: string | null
    snapshot_head: string
    /** May be empty while the order has its first event alone: a read renders its lines then. */
    snapshot_lines: string
    agreement_id: string | null
    exposure: string
    supersedes: string | null
    root: Generated<string | null>
    placed_at: OptionalTime
    notify_endpoint: string | null
    drawn: Generated<string>
    settled_gross: Generated<string>
    invoice_due_at: OptionalTime
    advertiser_id: string | null
    line_count: Generated<number>
    units: Generated<string>
    first_air_date: string | null
    month_lines: string[] | null
    elapsed_s: Generated<number>
  }
  order_records: { order_id: string; request_sha256: Buffer; request: string; facts: string; reply: string }
  order_events: {
    order_id: string
    /** The parties of the order: row security reads them. */
    order_seller: string
    order_buyer: string
    seq: number
    command_id: string
    ordinal: number
    occurred_at: Time
    body: string
    hash: Buffer
    traceparent: string | null
  }
  order_outcomes: { order_id: string; command_id: string; repeat_key: string | null; last_seq: number; outcome: string }
  holds: {
    hold_id: string
    seller: string
    buyer_entity: string
    status: HoldStatus | 'asking' | 'refused'
    lines: JSONColumnType<HoldLine[]>
    created_at: Time
    expires_at: Time
    order_id: string | null
    at_seller: boolean
    closed: Generated<boolean>
  }
  remote_asks: { order_id: string; accepted: boolean; asks: number; unreachable: number; asked_at: Time }
  order_uploads: { order_id: string; upload_id: string }
  outbox: {
    outbox_id: GeneratedAlways<string>
    /** The kind of run that the row wakes: a row of worker/runs.ts. */
    kind: string
    target: string
    attempts: Generated<number>
    claimable_at: DefaultTime
    created_at: DefaultTime
  }
}
