import type { EdiDelivery } from '../../contract/agreement.ts'
import type { Makegood } from '../../contract/makegood.ts'
import type { EarlierMail } from '../../domain/edi/closeDocument.ts'
import type { OrderDescriptors } from '../../domain/edi/describeOrder.ts'
import type { DocumentTerms } from '../../domain/edi/renderedDocument.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/** The data that decides a mail's kind and document, besides its order and products. */
export interface MailSource {
  readonly message_id: string
  /** The names of the two tenants. */
  readonly agency: string
  readonly seller: string
  /** The agreement's current terms for documents, even if it has ended; null if it has none. */
  readonly edi: EdiDelivery | null
  /** The newest earlier mails of the thread, oldest first. */
  readonly thread: readonly ThreadMail[]
  /** The terms and descriptors of the order's newest document; null if it has none. */
  readonly terms: DocumentTerms | null
  readonly descriptors: OrderDescriptors | null
  /** The makegood that the mail tells of. */
  readonly makegood: Makegood | null
}

/** A mail that was, or may have been, sent earlier in a thread. `is_repeat`: its document had been sent before. */
export interface ThreadMail extends EarlierMail {
  readonly message_ref: string
  /** The buyer's own id for its order. */
  readonly external_order_id: string
  readonly is_repeat: boolean
}

export async function readMailSources({ pool }: Pick<Database, 'pool'>, message_ids: readonly string[]): Promise<Map<string, MailSource>> {
  if (message_ids.length === 0) return new Map()
  const { rows } = await pool.query<MailSource>(SOURCES.bind({ message_ids }))
  return new Map(rows.map((row) => [row.message_id, row]))
}

/** Returns a row for each mail. */
const SOURCES = statement(
  'read-mail-sources',
  ['message_ids'],
  `select m.message_id, (select d.mailed_makegood from edi_messages d where d.message_id = m.document_id) as makegood, (select name from tenants where entity = m.buyer_entity) as agency, (select name from tenants where entity = m.seller) as seller,
      (select body->'edi' from agreements a where a.agreement_id = m.agreement_id) as edi, last.terms, last.descriptors,
      (select coalesce(json_agg(gone order by message_no), '[]') from (
          select t.message_no, t.order_id, t.document, t.supersedes, t.message_ref,
            (select external_order_id from orders o where o.order_id = t.order_id),
            exists (select from edi_messages d where d.order_id = t.order_id and d.document_id = t.document_id and d.message_no < t.message_no
              and d.may_have_gone) as is_repeat
          from edi_messages t
          where t.agreement_id = m.agreement_id and t.thread = m.thread and t.message_no < m.message_no and t.may_have_gone
          order by t.message_no desc limit 500
        ) gone) as thread
    from edi_messages m
    left join lateral (select d.terms, d.descriptors from edi_messages l join edi_documents d using (document_id)
      where l.order_id = m.order_id order by l.message_no desc limit 1) last on true
    where m.message_id = any(:message_ids::text[])`,
)
