import { readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { readSheets } from '../../src/adapters/tables/tableReader.ts'
import type { Sheet } from '../../src/domain/document/cells.ts'
import { type OrderReading, readOrder } from '../../src/domain/document/readOrder.ts'
import type { Reading } from './score.ts'

/** The date of the upload: the corpus is of orders for the summer of 2030. */
export const UPLOADED = '2030-05-01'

export async function sheetsOf(path: string): Promise<Sheet[]> {
  return readSheets(readFileSync(path), extname(path).slice(1))
}

/** Returns what the reader would let pass of a document. */
export function readingOf(document: string, sheets: readonly Sheet[]): Reading & { order: OrderReading } {
  const order = readOrder(sheets, () => UPLOADED)
  const rows = order.lines.flatMap((line, place) =>
    line.periods.map(({ start, units }) => ({
      start,
      units,
      rate: line.rate?.toFixed() ?? null,
      length: line.length ?? null,
      basis: line.basis === 'unknown' ? null : line.basis,
      days: line.days,
      window: line.start === undefined || line.end === undefined ? undefined : { start: line.start, end: line.end },
      program: line.program,
      stopped: (order.stops[place]?.length ?? 0) > 0,
    })),
  )
  const isAsked = order.questions.some(({ kind }) => kind !== 'fee')
  const verdict = order.refusal !== undefined ? 'refuse' : isAsked ? 'ask' : 'read'
  return { document: basename(document), verdict, refusal: order.refusal, rows, order }
}

/** Returns a reading as text, for documents without an expectation. */
export function printedReading({ document, verdict, refusal, rows, order }: ReturnType<typeof readingOf>): string {
  const head = `${document}: ${verdict}${refusal === undefined ? '' : ` (${refusal})`}, ${rows.length} rows`
  const questions = order.questions.map(({ kind, message }) => `  asks (${kind}): ${message}`)
  const lines = rows.map(
    ({ start, units, rate, length, stopped }) =>
      `  ${start}  ${units} x ${rate ?? 'no price'}  :${length ?? '?'}${stopped ? '  asked' : ''}`,
  )
  return [head, ...questions, ...lines].join('\n')
}
