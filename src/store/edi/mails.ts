import type pg from 'pg'
import type { EdiAttempt } from '../../contract/edi.ts'
import type { EdiDocument, EdiStatus, EdiStuckReason, EdiWarningCode } from '../../contract/vocabulary/edi.ts'
import type { MailedOrder } from '../../domain/edi/checkResend.ts'
import { statement } from '../connection/statement.ts'
import { utcText } from '../connection/utcText.ts'

/** The mails of orders as both sides of an order read them. The caller has checked that the order is theirs. */

export interface StoredMail {
  /** A number that rises with each mail of an order. */
  readonly message_no: string
  readonly message_id: string
  readonly document: EdiDocument
  readonly document_id: string
  readonly seq: number
  readonly to_address: string | null
  readonly status: EdiStatus
  readonly status_reason: string | null
  readonly stuck: EdiStuckReason | null
  readonly message_ref: string | null
  readonly resend_of: string | null
  readonly filename: string | null
  readonly sha256: string | null
  readonly warnings: readonly EdiWarningCode[]
  readonly created_at: string
  readonly due_at: string
  readonly sent_at: string | null
  readonly bounced_at: string | null
  readonly attempts: readonly EdiAttempt[]
}

export interface MailDocument {
  readonly status: EdiStatus
  readonly filename: string | null
  /** Null until the document is made, or if its mail does not carry this form. */
  readonly scx: Buffer | null
  readonly csv: Buffer | null
}

/** A pool, or a connection with an open transaction. */
type Pool = { readonly pool: Pick<pg.ClientBase, 'query'> }

/** Returns the mail of the order's last event that required one; undefined if none did. */
export async function readLatestMail({ pool }: Pool, orderId: string): Promise<StoredMail | undefined> {
  return (await pool.query<StoredMail>(READ_LATEST.bind({ order_id: orderId }))).rows[0]
}

/** Lists the mails of an order below `before` (a message_no), newest first. */
export async function listMails(
  { pool }: Pool,
  orderId: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<StoredMail[]> {
  return (await pool.query<StoredMail>(LIST.bind({ order_id: orderId, before: before ?? null, limit }))).rows
}

/** Returns one mail of an order. */
export async function readMail({ pool }: Pool, orderId: string, messageId: string): Promise<StoredMail | undefined> {
  return (await pool.query<StoredMail>(READ.bind({ order_id: orderId, message_id: messageId }))).rows[0]
}

/** Returns the document that a mail of an order carries; undefined if the order has no such mail. */
export async function readMailDocument({ pool }: Pool, orderId: string, messageId: string): Promise<MailDocument | undefined> {
  return (await pool.query<MailDocument>(READ_DOCUMENT.bind({ order_id: orderId, message_id: messageId }))).rows[0]
}

/** Returns an order with the address of its agreement; undefined if there is no such order. */
export async function readMailedOrder({ pool }: Pool, orderId: string): Promise<MailedOrder | undefined> {
  return (await pool.query<MailedOrder>(READ_ORDER.bind({ order_id: orderId }))).rows[0]
}

/** SQL: reads mails. A resent mail is about the event of its document. */
const MAILS = `select m.message_no::text, m.message_id, m.document, m.document_id, coalesce(m.seq, d.seq, d.seq_then) as seq, m.to_address, m.status, m.status_reason, m.stuck,
    m.message_ref, m.resend_of, m.filename, m.sha256, m.warnings, m.created_at, m.due_at, m.sent_at, m.bounced_at, (
      select coalesce(json_agg(json_strip_nulls(json_build_object('at', ${utcText('at')},
        'outcome', outcome, 'code', code, 'enhanced', enhanced, 'latency_ms', latency_ms)) order by n), '[]')
      from edi_attempts a where a.message_id = m.message_id
    ) as attempts
  from edi_messages m join edi_messages d on d.message_id = m.document_id`

/** Reads a page of an order's mails. */
const LIST = statement(
  'list-mails',
  ['order_id', 'before', 'limit'],
  `${MAILS} where m.order_id = :order_id and (:before::bigint is null or m.message_no < :before::bigint) order by m.message_no desc limit :limit`,
)

/** Reads one mail of an order, or no row. */
const READ = statement('read-mail', ['order_id', 'message_id'], `${MAILS} where m.order_id = :order_id and m.message_id = :message_id`)

/** Reads the mail of an order's last event, or no row. */
const READ_LATEST = statement(
  'read-latest-mail',
  ['order_id'],
  `${MAILS} where m.order_id = :order_id and m.seq is not null order by m.seq desc limit 1`,
)

/** Reads the document of a mail, or no row. A document that was sent before exists before the mail's first attempt. */
const READ_DOCUMENT = statement(
  'read-mail-document',
  ['order_id', 'message_id'],
  `select m.status, coalesce(m.filename, o.filename) as filename, d.scx, d.csv
    from edi_messages m join edi_messages o on o.message_id = m.document_id left join edi_documents d on d.document_id = m.document_id
    where m.order_id = :order_id and m.message_id = :message_id`,
)

/** Reads an order and the address of its agreement, even if that has ended. */
const READ_ORDER = statement(
  'read-mailed-order',
  ['order_id'],
  `select o.status, o.last_seq, o.placed_at, o.agreement_id, a.body -> 'edi' ->> 'to' as to_address
    from orders o left join agreements a on a.agreement_id = o.agreement_id where o.order_id = :order_id`,
)
