import type { EdiDocument } from '../../contract/vocabulary/edi.ts'
import type { Settled } from '../../domain/edi/closeDocument.ts'
import type { OrderDescriptors } from '../../domain/edi/describeOrder.ts'
import type { DocumentTerms, RenderedDocument } from '../../domain/edi/renderedDocument.ts'
import { batched } from '../connection/batched.ts'
import { arraysOf, namesOf, valuesOf } from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/**
 * The contents of mails. Each is written before its mail's first attempt and never changed, so that every attempt sends the same bytes.
 * A document's content is stored once, for all mails that send it.
 */

type Pool = Pick<Database, 'pool'>

/** The kind of a mail that is sent. */
export type SentDocument = Exclude<Settled, { skipped: string }>

/** The parts of a mail that it shares with no other. */
export interface MailEnvelope {
  readonly document: SentDocument
  readonly to_address: string
  /** The address that it is sent from. */
  readonly sender: string
  /** Its Message-ID, and those of the earlier mails of its thread, oldest first; without brackets. */
  readonly message_ref: string
  readonly refs: readonly string[]
}

/** A frozen mail. */
export interface MailContent extends RenderedDocument, MailEnvelope {}

/** A mail to be frozen. `made` is undefined if its document is already stored. */
export interface NewContent extends MailEnvelope, Pick<RenderedDocument, 'subject' | 'filename' | 'sha256' | 'warnings'> {
  readonly message_id: string
  readonly made: (RenderedDocument & { readonly terms: DocumentTerms; readonly descriptors: OrderDescriptors }) | undefined
}

/** Returns the contents of mails by id; for a mail that is not frozen, those of the first mail of its document, if there was one. */
export async function readContents({ pool }: Pool, message_ids: readonly string[]): Promise<Map<string, MailContent>> {
  if (message_ids.length === 0) return new Map()
  const { rows } = await pool.query<ContentRow>(CONTENTS.bind({ message_ids }))
  return new Map(rows.map(({ asked, document, supersedes, ...content }) => [asked, { ...content, document: sentAs(document, supersedes) }]))
}

type ContentRow = Omit<MailContent, 'document'> & { asked: string; document: EdiDocument; supersedes: string | null }

function sentAs(document: EdiDocument, supersedes: string | null): SentDocument {
  return (supersedes === null ? { document } : { document, supersedes }) as SentDocument
}

/** Freezes a mail and counts its first attempt. Returns false if another process had the mail meanwhile. Batches concurrent calls. */
export function freezeContent({ pool }: Pool, content: NewContent): Promise<boolean> {
  return freeze(pool, content)
}

const freeze = batched<NewContent, boolean>(
  async (pool, contents) => {
    const { lay, bytes } = layOut()
    const rows = contents.map((content) => frozenRow(content, lay))
    const { rows: frozen } = await pool.query<{ message_id: string }>(FREEZE.bind({ ...valuesOf(FROZEN, rows), bytes: bytes() }))
    const ids = new Set(frozen.map(({ message_id }) => message_id))
    return contents.map(({ message_id }) => ids.has(message_id))
  },
  undefined,
  ({ made }) => (made === undefined ? 0 : made.text.length + (made.scx?.length ?? 0) + (made.csv?.length ?? 0)),
)

const FROZEN = {
  ...{ message_id: 'text', document: 'text', supersedes: 'text', to_address: 'text', sender: 'text', message_ref: 'text', refs: 'json' },
  ...{ subject: 'text', filename: 'text', sha256: 'text', warnings: 'json' },
  ...{ headers: 'json', terms: 'json', descriptors: 'json', text: 'text' },
  ...{ scx_at: 'int', scx_length: 'int', csv_at: 'int', csv_length: 'int' },
} as const

/** The place of a document among the bytes of a statement; the first byte is 1. */
interface Place {
  readonly at: number | null
  readonly length: number | null
}

/** Concatenates documents: a single value is sent in binary, whereas the values of an array are sent as text of twice the length. */
function layOut() {
  const laid: Uint8Array[] = []
  let end = 0
  const lay = (document: Uint8Array | null | undefined): Place => {
    if (!document) return { at: null, length: null }
    const { length } = document
    laid.push(document)
    end += length
    return { at: end - length + 1, length }
  }
  return { lay, bytes: () => Buffer.concat(laid) }
}

function frozenRow(
  { document, refs, warnings, made, ...own }: NewContent,
  lay: (document: Uint8Array | null | undefined) => Place,
): Record<keyof typeof FROZEN, unknown> {
  const [scx, csv] = [lay(made?.scx), lay(made?.csv)]
  return {
    ...own,
    document: document.document,
    supersedes: 'supersedes' in document ? document.supersedes : null,
    refs: JSON.stringify(refs),
    warnings: JSON.stringify(warnings),
    headers: made === undefined ? null : JSON.stringify(made.headers),
    terms: made === undefined ? null : JSON.stringify(made.terms),
    descriptors: made === undefined ? null : JSON.stringify(made.descriptors),
    text: made?.text ?? null,
    ...{ scx_at: scx.at, scx_length: scx.length, csv_at: csv.at, csv_length: csv.length },
  }
}

/** Returns a row for each mail that is frozen, or whose document an earlier mail has sent. */
const CONTENTS = statement(
  'read-mail-contents',
  ['message_ids'],
  `select m.message_id as asked, f.document, f.supersedes, f.to_address, f.sender, f.message_ref, f.refs, f.subject, f.filename, f.sha256, f.warnings,
      d.headers, d.text, d.scx, d.csv
    from edi_messages m
    cross join lateral (select * from edi_messages f
      where f.order_id = m.order_id and f.document_id = m.document_id and f.message_ref is not null
      order by f.message_id = m.message_id desc, f.message_no limit 1) f
    join edi_documents d on d.document_id = m.document_id
    where m.message_id = any(:message_ids::text[])`,
)

/** Writes the contents of mails and counts their first attempts. Returns a row for each that was not frozen before. */
const FREEZE = statement(
  'freeze-mails',
  [...namesOf(FROZEN), 'bytes'],
  `with made as materialized (
      select * from unnest(${arraysOf(FROZEN)}) as made (${namesOf(FROZEN)})
    ), frozen as (
      update edi_messages m set document = made.document, supersedes = made.supersedes, to_address = made.to_address, sender = made.sender,
          message_ref = made.message_ref, refs = made.refs, subject = made.subject, filename = made.filename, sha256 = made.sha256,
          warnings = made.warnings, attempts = 1, first_attempt_at = now(), may_have_gone = true, render_failures = 0
        from made
        where m.message_id = any(:message_id::text[]) and m.message_id = made.message_id and m.status = 'queued' and m.message_ref is null
        returning m.message_id, m.document_id
    ), kept as (
      insert into edi_documents (document_id, headers, terms, descriptors, scx, csv, text)
      select document_id, headers, terms, descriptors, substring(:bytes::bytea from scx_at for scx_length),
          substring(:bytes::bytea from csv_at for csv_length), text
        from frozen join made using (message_id) where text is not null
      on conflict do nothing
    )
    select message_id from frozen`,
)
