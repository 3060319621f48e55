import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { Agreement } from '../../contract/agreement.ts'
import type { ApprovalRule } from '../../contract/approvalRules.ts'
import type { Avail } from '../../contract/avail.ts'
import type { HoldLine } from '../../contract/hold.ts'
import type { Product } from '../../contract/product.ts'
import type { SellerProfile } from '../../contract/seller.ts'
import type {
  AvailState,
  BuyType,
  DeliveryStatus,
  DropReason,
  EventType,
  Gate,
  GateDue,
  Grain,
  HoldStatus,
  MarketClass,
  OrderStatus,
  QueueFailure,
  QuoteEnd,
  Scope,
  SecurityAction,
  SecurityVia,
  Side,
  SshKeyAlgorithm,
  Substatus,
  UploadFormat,
  UploadStatus,
  WEBHOOK_TEST,
  Workflow,
} from '../../contract/vocabulary.ts'
import type { PricedValue } from '../../domain/publish/unpriced.ts'
import type { DisabledReason } from '../../domain/webhooks/attempts.ts'
import type { PreviousSecret } from '../delivery/endpointSecrets.ts'

/** The schema as kysely sees it; `migrations/` is its source. timestamptz reads as ISO text, numeric and date as text. */
type Time = ColumnType<string, string, string>
type OptionalTime = ColumnType<string | null, string | null | undefined, string | null>
type DefaultTime = ColumnType<string, string | undefined, string>

export interface Tables {
  tenants: { entity: string; side: Side; name: string; created_at: DefaultTime }
  credentials: {
    credential_id: string
    entity: string
    side: Side
    token_sha256: Buffer
    last_four: string
    scopes: Scope[]
    gate: Generated<Extract<Gate, 'api' | 'console'>>
    created_at: DefaultTime
    expires_at: OptionalTime
    revoked_at: OptionalTime
  }
  sftp_keys: {
    key_id: string
    seller: string
    algorithm: SshKeyAlgorithm
    public_key: Buffer
    comment: string
    added_at: DefaultTime
    revoked_at: OptionalTime
  }
  platform_keys: { name: string; value: Buffer }
  secrets_key: { fingerprint: Buffer }
  tenant_secrets: { tenant: string; name: string; sealed: Buffer; updated_at: DefaultTime }
  sellers: {
    seller: string
    currency: Generated<string>
    taxonomy_version: string | null
    profile: JSONColumnType<SellerProfile>
    uses_api: Generated<boolean>
    unpublished_commit_nos: Generated<string[]>
    approval_rules: ColumnType<ApprovalRule[], string | undefined, string>
  }
  products: {
    seller: string
    product_id: string
    external_ref: string | null
    minted_for: Generated<string | null>
    body: JSONColumnType<Product>
    visibility: GeneratedAlways<Product['visibility']>
    sold_until: GeneratedAlways<string>
    reader: GeneratedAlways<string>
    updated_at: DefaultTime
  }
  seller_offers: { seller: string; reader: string; visibility: Product['visibility']; grain: Grain; sold_until: string }
  rate_commits: {
    seller: string
    commit: string
    commit_no: GeneratedAlways<string>
    agreement_id: string | null
    visible_to: Generated<string | null>
    order_id: Generated<string | null>
    effective: string
    body_sha256: Buffer
    reply: string
    published_at: DefaultTime
  }
  priced_values: {
    seller: string
    product_id: string
    agreement_id: string
    member: PricedValue['member']
    value: string
    commit_no: string | null
  }
  rate_entries: {
    locked_rate_id: string
    seller: string
    commit: string
    commit_no: string
    agreement_id: string | null
    visible_to: string | null
    product_id: string
    week: string
    market_class: MarketClass
    advertiser_class: string
    spot_length: number
    buy_type: BuyType
    clearance_tier: string | null
    gross_rate_unit: string | null
    gross_rate_cpm: string | null
    currency: string
    guaranteed_impressions: string | null
    audience_code: string | null
    window_opens: OptionalTime
    window_closes: OptionalTime
    quote_expires_at: OptionalTime
    quote_id: Generated<string | null>
  }
  ended_quotes: { ended_id: string; seller: string; buyer_entity: string; reason: QuoteEnd; ended_at: DefaultTime }
  approval_rule_days: {
    seller: string
    rule_id: string
    day: string
    shard: number
    approved: Generated<number>
    rejected: Generated<number>
    held: Generated<number>
    last_used_at: Time
  }
  agreements: {
    agreement_id: string
    seller: string
    buyer_entity: string
    status: 'active' | 'ended'
    effective: string
    external_ref: string | null
    body: JSONColumnType<Agreement>
    updated_at: DefaultTime
  }
  seller_buyers: { seller: string; buyer_entity: string; status: 'active' | 'suspended'; allowlisted: boolean; updated_at: DefaultTime }
  avails: {
    seller: string
    product_id: string
    grain: Grain
    start: string
    state: AvailState
    body: JSONColumnType<Avail>
    updated_at: DefaultTime
  }
  avails_requests: {
    request_id: string
    seller: string
    buyer_entity: string
    product_id: string
    grain: Grain
    start: string
    agreement_id: string
    note: string | null
    requested_at: DefaultTime
    answered_at: OptionalTime
  }
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
    settled: Generated<boolean>
    gate_due: GateDue | null
    stuck_reason: string | null
    snapshot_head: string
    snapshot_lines: string
    agreement_id: string | null
    gross: string
    supersedes: string | null
    root: Generated<string | null>
    placed_at: OptionalTime
    notify_endpoint: string | null
  }
  order_records: { order_id: string; request_sha256: Buffer; request: string; facts: string; reply: string }
  order_events: { order_id: string; seq: number; command_id: string; ordinal: number; occurred_at: Time; body: string; hash: Buffer | null }
  earlier_event_hashes: { order_id: string; seq: number; hash: Buffer }
  order_outcomes: { order_id: string; command_id: string; repeat_key: string | null; last_seq: number; outcome: string }
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
  creatives: {
    creative_id: string
    buyer_entity: string
    creative_code: string
    name: string
    length_seconds: number
    status: Generated<'active' | 'archived'>
    created_at: Time
  }
  uploads: {
    upload_id: string
    buyer_entity: string
    filename: string
    format: UploadFormat
    size_bytes: string
    status: UploadStatus | 'receiving'
    sha256: string | null
    created_at: Time
    expires_at: Time
    claimed_at: OptionalTime
    pinned: Generated<boolean>
  }
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
  security_events: {
    event_id: string
    entity: string
    side: Side
    occurred_at: DefaultTime
    action: SecurityAction
    via: SecurityVia
    credential_id: string | null
    source_ip: string | null
    target: string | null
    before: ColumnType<Record<string, unknown> | null, string | null, never>
    after: ColumnType<Record<string, unknown> | null, string | null, never>
    times: Generated<number>
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
  outbox: {
    outbox_id: GeneratedAlways<string>
    /** Which kind of run it wakes: a row of worker/runs.ts. */
    kind: string
    target: string
    attempts: Generated<number>
    claimable_at: DefaultTime
    created_at: DefaultTime
  }
}
