import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { Agreement } from '../../contract/agreement.ts'
import type { ApprovalRule } from '../../contract/approvalRules.ts'
import type { SellerProfile } from '../../contract/seller.ts'
import type { CredentialSide, Scope, SecurityAction, SecurityVia, Side, SshKeyAlgorithm } from '../../contract/vocabulary/access.ts'
import type { Gate } from '../../contract/vocabulary.ts'
import type { DefaultTime, OptionalTime, Time } from '../connection/columnTypes.ts'

/** The tables of tenants, their credentials, keys and secrets, their agreements, and what they register. */
export interface TenantTables {
  tenants: { entity: string; side: CredentialSide; name: string; created_at: DefaultTime }
  credentials: {
    credential_id: string
    entity: string
    side: CredentialSide
    token_sha256: Buffer
    last_four: string
    scopes: Scope[]
    gate: Generated<Extract<Gate, 'api' | 'console'>>
    created_at: DefaultTime
    expires_at: OptionalTime
    revoked_at: OptionalTime
  }
  fresh_tenants: { entity: string; side: Side; made_by: string; made_at: DefaultTime; expires_at: Time }
  sessions: {
    session_sha256: Buffer
    credential_id: string | null
    subject_id: string | null
    scopes: Scope[] | null
    person: string
    opened_at: DefaultTime
    used_at: DefaultTime
    ends_at: Time
  }
  subjects: {
    subject_id: string
    entity: string
    issuer: string
    subject: string
    seen_at: DefaultTime
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
  seller_buyers: { seller: string; buyer_entity: string; status: 'active' | 'suspended'; allowlisted: boolean; updated_at: DefaultTime }
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
  creatives: {
    creative_id: string
    buyer_entity: string
    creative_code: string
    name: string
    length_seconds: number
    status: Generated<'active' | 'archived'>
    created_at: Time
  }
  security_events: {
    event_id: string
    entity: string
    side: CredentialSide
    occurred_at: DefaultTime
    action: SecurityAction
    via: SecurityVia
    credential_id: string | null
    source_ip: string | null
    person: ColumnType<string | null, string | null | undefined, never>
    target: string | null
    before: ColumnType<Record<string, unknown> | null, string | null, never>
    after: ColumnType<Record<string, unknown> | null, string | null, never>
    times: Generated<number>
  }
}
