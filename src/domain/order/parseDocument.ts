import type { DocumentParse, DocumentQuestion } from '../../contract/documentParse.ts'
import { ERRORS } from '../../contract/vocabulary/codes.ts'
import type { UploadFormat } from '../../contract/vocabulary.ts'
import type { ResolvedLine } from '../document/checkLines.ts'
import { proofOf } from '../document/proof.ts'
import type { IgnoredRow, ReadTotal, UnreadableDocument } from '../document/reading.ts'
import { tieOut } from '../document/tieOut.ts'
import { type Decision, decided, unchanged } from './decision.ts'
import type { OrderState } from './state.ts'
import { nextStatus, type OrderPosition, positionOf } from './transitions.ts'

/** The result of reading a document: the reason why it cannot be read, or its lines checked against what is published. */
export type Reading =
  | UnreadableDocument
  | {
      readonly lines: readonly ResolvedLine[]
      readonly totals: readonly ReadTotal[]
      readonly questions: readonly DocumentQuestion[]
      readonly ignored: readonly IgnoredRow[]
      /** Absent if it has no headings. */
      readonly layout?: NonNullable<DocumentParse['layout']>
    }

/**
 * Records the reading of a document: the order waits for the buyer with the lines found, or fails if nothing can be read (choices, States). An
 * order past this step does not change.
 */
export function parseDocument(order: OrderState, reading: Reading): Decision<OrderPosition> {
  const { document } = order.request
  if (order.status !== 'validating' || document === undefined) return unchanged(positionOf)
  if ('unreadable' in reading) return decided([{ status: nextStatus(order, 'fail'), error: unreadable(document, reading) }], positionOf)
  const { lines, questions, ignored, layout } = reading
  const totals = tieOut(reading.totals, lines, order.facts.currency)
  const artifact = {
    name: 'document_parse' as const,
    ...document,
    lines: lines.map(({ line, read, doubts, booked, num_requested }) => ({
      line,
      read,
      ...(doubts.length === 0 ? {} : { doubts: [...doubts] }),
      line_item: booked === undefined ? null : asOrdered(booked.result, num_requested),
    })),
    unresolved: lines.flatMap(({ unresolved }) => unresolved),
    totals,
    proof: proofOf(totals, lines),
    ...(layout === undefined ? {} : { layout }),
    questions: [...questions],
    ignored: [...ignored],
  }
  return decided([{ status: nextStatus(order, 'parse'), artifact }], positionOf)
}

function asOrdered(
  { product_id, period, units, spot_length, rate }: NonNullable<ResolvedLine['booked']>['result'],
  num_requested: number | undefined,
) {
  return { product_id, period, units, ...(num_requested === undefined ? {} : { num_requested }), spot_length, rate }
}

function unreadable(
  { upload_id, format }: { upload_id: string; format: UploadFormat },
  { unreadable: why, kind, instead }: UnreadableDocument,
) {
  const { stage, recoverable } = ERRORS.INVALID_INPUT
  const error_message = `The ${format} document cannot be read as a buysheet: ${why}.${instead === undefined ? '' : ` ${instead}`}`
  return {
    error_code: 'INVALID_INPUT' as const,
    error_message,
    stage,
    recoverable,
    details: { field: 'document.upload_id', upload_id, ...(kind === undefined ? {} : { kind }) },
  }
}
