import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { Makegood } from '../../contract/makegood.ts'
import type { EdiDocument, EdiOutcome, EdiStatus, EdiStuckReason } from '../../contract/vocabulary/edi.ts'
import type { EdiWarning } from '../../domain/edi/buildScx.ts'
import type { OrderDescriptors } from '../../domain/edi/describeOrder.ts'
import type { DocumentTerms } from '../../domain/edi/renderedDocument.ts'
import type { DefaultTime, OptionalTime, Time } from '../connection/columnTypes.ts'

/** The tables of order mail: messages, the documents that they send, and the attempts to send them. */
export interface EdiTables {
  edi_messages: {
    message_id: string
    message_no: GeneratedAlways<string>
    order_id: string
    seq: number | null
    agreement_id: string
    seller: string
    buyer_entity: string
    thread: string
    document: EdiDocument
    document_id: string
    supersedes: string | null
    resend_of: string | null
    status: Generated<EdiStatus>
    status_reason: string | null
    stuck: EdiStuckReason | null
    to_address: string | null
    subject: string | null
    filename: string | null
    sha256: string | null
    message_ref: string | null
    warnings: ColumnType<EdiWarning[], string | undefined, string>
    created_at: Time
    due_at: DefaultTime
    leased_until: OptionalTime
    attempts: Generated<number>
    first_attempt_at: OptionalTime
    may_have_gone: Generated<boolean>
    sent_at: OptionalTime
    bounced_at: OptionalTime
    sender: string | null
    refs: ColumnType<string[] | null, string | undefined, string>
    render_failures: Generated<number>
    mailed_makegood: ColumnType<Makegood | null, string | undefined, never>
    seq_then: number | null
  }
  edi_documents: {
    document_id: string
    headers: JSONColumnType<Record<string, string>>
    terms: JSONColumnType<DocumentTerms>
    descriptors: JSONColumnType<OrderDescriptors>
    scx: Buffer | null
    csv: Buffer | null
    text: string
  }
  edi_attempts: {
    message_id: string
    n: number
    at: Time
    outcome: EdiOutcome
    reason: EdiStuckReason | null
    code: number | null
    enhanced: string | null
    latency_ms: number
  }
}
