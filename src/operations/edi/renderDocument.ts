import { createHash } from 'node:crypto'
import { renderScx } from '../../adapters/mail/scx.ts'
import { renderCsv } from '../../adapters/tables/renderCsv.ts'
import type { Makegood } from '../../contract/makegood.ts'
import { buildScx } from '../../domain/edi/buildScx.ts'
import { checkScx } from '../../domain/edi/checkScx.ts'
import { CSV_COLUMNS, csvRows } from '../../domain/edi/csvRows.ts'
import { mailFields } from '../../domain/edi/mailFields.ts'
import { MAKEGOOD_COLUMNS, makegoodMail, makegoodRows } from '../../domain/edi/makegoodMail.ts'
import type { DocumentSource, RenderedDocument } from '../../domain/edi/renderedDocument.ts'
import { totals } from '../../domain/order/snapshot.ts'
import type { OrderState } from '../../domain/order/state.ts'

/** A document fails its own check, which is a fault of the platform. */
export class InvalidDocument extends Error {
  override name = 'InvalidDocument'
  /** The path of the first wrong element or attribute. */
  readonly path: string
  constructor(path: string, message: string) {
    super(`${path} ${message}`)
    this.path = path
  }
}

/** Renders an order's document in every form that its agreement requires, with the text of its mail. Errors: InvalidDocument. */
export function renderDocument({ order, message, terms, descriptors, makegood }: DocumentSource): RenderedDocument {
  if (makegood !== undefined) return renderMakegood(order, makegood, message.document_id)
  const { tree, warnings } = buildScx(order, message, terms, descriptors)
  // Checks even if only the csv is sent, since both have the same figures.
  const [fault] = checkScx(tree, totals(order).gross)
  if (fault !== undefined) throw new InvalidDocument(fault.path, fault.message)
  const { formats = ['scx'] } = terms
  const scx = formats.includes('scx') ? renderScx(tree) : null
  const csv = formats.includes('csv') ? renderCsv(CSV_COLUMNS, csvRows(order, message)) : null
  const { subject, text, headers, fileStem } = mailFields(order, message, terms, descriptors)
  const sha256 = hashOf(scx ?? csv ?? '')
  return {
    scx,
    csv,
    sha256,
    filename: `${fileStem}.${scx === null ? 'csv' : 'scx'}`,
    subject,
    text,
    headers: { ...headers, 'EDI-SHA256': sha256 },
    warnings,
  }
}

/** Renders what a mail tells of a makegood: a text for people, and a csv for programs. */
function renderMakegood(order: OrderState, makegood: Makegood, documentId: string): RenderedDocument {
  const csv = renderCsv(MAKEGOOD_COLUMNS, makegoodRows(order, makegood))
  const { subject, text, headers, fileStem } = makegoodMail(order, makegood, documentId)
  const sha256 = hashOf(csv)
  return { scx: null, csv, sha256, filename: `${fileStem}.csv`, subject, text, headers: { ...headers, 'EDI-SHA256': sha256 }, warnings: [] }
}

function hashOf(document: Uint8Array | string): string {
  return createHash('sha256').update(document).digest('hex')
}
