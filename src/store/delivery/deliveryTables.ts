import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { DeliveryStatus, DropReason, EventType, OrderStatus, QueueFailure, WEBHOOK_TEST } from '../../contract/vocabulary.ts'
import type { DisabledReason } from '../../domain/webhooks/attempts.ts'
import type { DefaultTime, OptionalTime } from '../connection/columnTypes.ts'

/** The tables of the event feed and of the deliveries of events. */
export interface DeliveryTables {
  notices: { event_id: string; tenant: string; body: string }
  feed: {
    tenant: string
    txid: Generated<string>
    position: GeneratedAlways<string>
    event_type: EventType
    status: OrderStatus | null
    order_id: string | null
    seq: number | null
    event_id: string | null
  }
  webhook_endpoints: {
    endpoint_id: string
    tenant: string
    url: string
    events: EventType[] | null
    statuses: OrderStatus[] | null
    topics: string[] | null
    credential_id: string | null
    authorized_until: OptionalTime
    readable: Generated<EventType[]>
    status: Generated<'active' | 'disabled' | 'deleted'>
    disabled_reason: DisabledReason | null
    failing_since: OptionalTime
    secret: Buffer
    previous_secrets: ColumnType<PreviousSecret[], string | undefined, string>
    created_at: DefaultTime
  }
  deliveries: {
    endpoint_id: string
    delivery_no: GeneratedAlways<string>
    event_type: EventType | typeof WEBHOOK_TEST
    order_id: string | null
    seq: number | null
    event_id: string | null
    status: Generated<DeliveryStatus>
    dropped_reason: DropReason | null
    redelivery_of: string | null
    made: Generated<number>
    first_at: OptionalTime
    due_at: DefaultTime
    attempts: Generated<string>
    created_at: DefaultTime
  }
  queue_deliveries: {
    tenant: string
    events: EventType[] | null
    statuses: OrderStatus[] | null
    credential_id: string | null
    authorized_until: OptionalTime
    readable: Generated<EventType[]>
    txid: string
    position: string
    created_at: DefaultTime
    failing_since: OptionalTime
    failure: QueueFailure | null
  }
}

/** A replaced secret of an endpoint. It signs in addition to the newer ones until it expires (choices, Signature). */
export interface PreviousSecret {
  /** Base64. */
  sealed: string
  /** ISO UTC. */
  until: string
}
