import type { EdiDocument } from '../../contract/vocabulary/edi.ts'
import type { OrderDescriptors } from '../../domain/edi/describeOrder.ts'
import type { DocumentTerms, RenderedDocument } from '../../domain/edi/renderedDocument.ts'
import type { EarlierMail, Settled } from '../../domain/edi/settleDocument.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import { MADE_BYTES } from './madeBytes.ts'
import type { ClaimedMail } from './mailQueue.ts'

/** What mails contain. It is written with the first attempt and never changed, so that every attempt sends the same bytes. */

type Pool = Pick<Database, 'pool'>

/** What a mail is that is sent. */
export type SentDocument = Exclude<Settled, { skipped: string }>

/** A frozen mail. */
export interface MailContent extends RenderedDocument {
  readonly document: SentDocument
  readonly to_address: string
  /** The address that it comes from. */
  readonly sender: string
  /** Its Message-ID, and those of the earlier mails of its thread, oldest first; without brackets. */
  readonly message_ref: string
  readonly refs: readonly string[]
  readonly terms: DocumentTerms
  readonly descriptors: OrderDescriptors
}

/** Returns what a mail contains; undefined before its first attempt. */
export async function readContent({ pool }: Pool, message_id: string): Promise<MailContent | undefined> {
  const { rows } = await pool.query<ContentRow>(CONTENT.bind({ message_id }))
  return rows.map(contentOf)[0]
}

/** Returns what the first mail with the document of this one contains; undefined if none was made. */
export async function readDocumentContent({ pool }: Pool, { order_id, document_id }: ClaimedMail): Promise<MailContent | undefined> {
  const { rows } = await pool.query<ContentRow>(DOCUMENT_CONTENT.bind({ order_id, document_id }))
  return rows.map(contentOf)[0]
}

function contentOf({ document, supersedes, ...content }: ContentRow): MailContent {
  return { ...content, document: (supersedes === null ? { document } : { document, supersedes }) as SentDocument }
}

type ContentRow = Omit<MailContent, 'document'> & { document: EdiDocument; supersedes: string | null }

/** Freezes a mail and counts its first attempt. False when another process had the mail meanwhile. */
export async function freezeContent({ pool }: Pool, message_id: string, { document, ...content }: MailContent): Promise<boolean> {
  const { rowCount } = await pool.query(
    FREEZE.bind({
      ...content,
      ...{ message_id, document: document.document, supersedes: 'supersedes' in document ? document.supersedes : null },
      refs: JSON.stringify(content.refs),
      headers: JSON.stringify(content.headers),
      terms: JSON.stringify(content.terms),
      descriptors: JSON.stringify(content.descriptors),
      warnings: JSON.stringify(content.warnings),
    }),
  )
  return rowCount === 1
}

/** A mail that went before another one in its thread, or may have. `is_repeat`: its document had gone before. */
export type ThreadMail = EarlierMail & { readonly message_ref: string; readonly is_repeat: boolean }

/** Returns the newest mails that went before this one in its thread, oldest first. */
export async function readThread({ pool }: Pool, { agreement_id, thread, message_no }: ClaimedMail): Promise<ThreadMail[]> {
  const { rows } = await pool.query<ThreadMail>(THREAD.bind({ agreement_id, thread, message_no }))
  return rows.reverse()
}

/** Returns terms and descriptors of the newest document of an order. */
export async function readLastSource({ pool }: Pool, order_id: string): Promise<Pick<MailContent, 'terms' | 'descriptors'> | undefined> {
  const { rows } = await pool.query<Pick<MailContent, 'terms' | 'descriptors'>>(LAST_SOURCE.bind({ order_id }))
  return rows[0]
}

/** The bytes of a document are kept with the first mail that has them. */
const CONTENTS = `select m.document, m.supersedes, m.subject, c.text, c.headers, coalesce(c.scx, made.scx) as scx, coalesce(c.csv, made.csv) as csv, m.sha256, m.filename, m.warnings, m.to_address, c.sender, m.message_ref, c.refs, c.terms,
      c.descriptors
    from edi_messages m join edi_contents c using (message_id) ${MADE_BYTES}`

const CONTENT = statement('read-mail-content', ['message_id'], `${CONTENTS} where m.message_id = :message_id`)

const DOCUMENT_CONTENT = statement(
  'read-document-content',
  ['order_id', 'document_id'],
  `${CONTENTS} where m.order_id = :order_id and m.document_id = :document_id order by m.message_no limit 1`,
)

/**
 * Writes a mail's content and counts its first attempt; its row count is 1 when the mail was not attempted before. The bytes of a document that is
 * sent again are there.
 */
const FREEZE = statement(
  'freeze-mail',
  [
    ...['message_id', 'document', 'supersedes', 'to_address', 'subject', 'filename', 'sha256', 'message_ref', 'warnings'],
    ...['sender', 'refs', 'headers', 'terms', 'descriptors', 'scx', 'csv', 'text'],
  ],
  `with frozen as (
      update edi_messages set document = :document, supersedes = :supersedes, to_address = :to_address, subject = :subject, filename = :filename,
          sha256 = :sha256, message_ref = :message_ref, warnings = :warnings, attempts = 1, first_attempt_at = now(), may_have_gone = true
        where message_id = :message_id and status = 'queued' and attempts = 0 returning message_id, order_id, document_id
    )
    insert into edi_contents (message_id, sender, refs, headers, terms, descriptors, scx, csv, text)
    select m.message_id, :sender, :refs::json, :headers::json, :terms::json, :descriptors::json, case when made is null then :scx::bytea end,
        case when made is null then :csv::bytea end, :text
      from frozen m ${MADE_BYTES}`,
)

/** Mails of a thread before one of it, newest first. */
const THREAD = statement(
  'read-mail-thread',
  ['agreement_id', 'thread', 'message_no'],
  `select order_id, document, supersedes, message_ref,
      exists (select from edi_messages d where d.order_id = m.order_id and d.document_id = m.document_id and d.message_no < m.message_no
        and d.may_have_gone) as is_repeat
    from edi_messages m
    where agreement_id = :agreement_id and thread = :thread and message_no < :message_no and may_have_gone order by message_no desc limit 500`,
)

const LAST_SOURCE = statement(
  'read-last-document-source',
  ['order_id'],
  `select c.terms, c.descriptors from edi_messages m join edi_contents c using (message_id)
    where m.order_id = :order_id order by m.message_no desc limit 1`,
)
