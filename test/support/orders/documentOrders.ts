import { Readable } from 'node:stream'
import type { DocumentParse } from '../../../src/contract/documentParse.ts'
import type { UploadFormat } from '../../../src/contract/vocabulary.ts'
import type { DocumentReading } from '../../../src/domain/document/reading.ts'
import { readDocumentFile } from '../../../src/operations/documents/documentReader.ts'
import { parseDocument } from '../../../src/operations/orders/parseDocument.ts'
import { newId } from '../../../src/store/connection/newId.ts'
import { uploaded } from '../files/uploads.ts'
import type { Market, Snapshot } from '../market.ts'
import { csvOf, type Sheet } from './buysheets.ts'

/** Allows documents for the market's seller. */
export async function takesDocuments(market: Market): Promise<void> {
  const { status, text } = await market.cable.put('/me/capabilities', { modes: { catalog: true, proposal: true, document: true } })
  if (status !== 200) throw new Error(text)
}

/** Creates a document order whose workflow has begun to validate it, so that its document waits to be read. */
export async function documentOrder(
  market: Market,
  bytes: Uint8Array,
  format: UploadFormat = 'csv',
  more: Record<string, unknown> = {},
): Promise<string> {
  const upload_id = await uploaded(market, market.acme, bytes, format)
  const orderId = await market.created({ line_items: undefined, document: { upload_id, format }, ...more })
  await market.validate(orderId)
  return orderId
}

/** Creates one, and reads its document as the workflow's step does: needs_confirmation, or failed. */
export async function parsedOrder(
  market: Market,
  sheet: Sheet | Uint8Array,
  format: UploadFormat = 'csv',
  more: Record<string, unknown> = {},
): Promise<string> {
  const bytes = sheet instanceof Uint8Array ? sheet : csvOf(sheet)
  const orderId = await documentOrder(market, bytes, format, more)
  await parsed(market, orderId, await readingOf(bytes, format))
  return orderId
}

/** Returns the reading of a document of the market's weeks. */
export async function readingOf(bytes: Uint8Array, format: UploadFormat = 'csv'): Promise<DocumentReading> {
  return (await readDocumentFile(Readable.from([bytes]), format, '2030-06-01')).reading
}

export async function parsed({ deps }: Market, orderId: string, read: DocumentReading): Promise<string> {
  return (await parseDocument(deps.orders, deps.db, orderId, newId('cmd_'), read)).status
}

export function parseOf(snapshot: Snapshot): DocumentParse {
  const artifacts = snapshot.artifacts as { name: string }[]
  return artifacts.find(({ name }) => name === 'document_parse') as DocumentParse
}

/** Returns a csv sheet of lines; each names only the differences from ten spots of prime time at the published price. */
export function sheetOf(...lines: Partial<Record<(typeof HEADER)[number], string | number>>[]): Sheet {
  const whole = { Product: 'prime', Week: '2030-W23', Length: ':30', Units: 10, Rate: '1250.50', 'Advertiser Class': 'general' }
  return { rows: [[...HEADER], ...lines.map((line) => HEADER.map((column) => ({ ...whole, ...line })[column] ?? null))] }
}

const HEADER = ['Product', 'Week', 'Length', 'Units', 'Rate', 'Advertiser Class'] as const
