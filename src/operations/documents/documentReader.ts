import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { startIsolated } from '../../adapters/processes/isolatedProcess.ts'
import { READ_MS } from '../../adapters/tables/tableReader/limits.ts'
import type { UploadFormat } from '../../contract/vocabulary.ts'
import type { IsoDate } from '../../domain/calendar.ts'
import type { DocumentReading, ShownPages } from '../../domain/document/reading.ts'

/** A document's content, and whether it depends on the anchor date from which dates without a year are resolved. */
export interface DocumentAnswer {
  readonly reading: DocumentReading
  readonly counted_from_anchor: boolean
  /** What a person sees of it; absent if it could not be opened. */
  readonly shown?: ShownPages
}

/**
 * Reads an untrusted document in a separate process. A document that crashes the reader, or makes it run out of memory or time, is reported
 * as unreadable. Rejects if the reader cannot start or is stopped from outside, since that says nothing about the file. Consumes `bytes`;
 * `signal` stops the reader.
 */
export async function readDocumentFile(
  bytes: Readable,
  format: UploadFormat,
  anchor: IsoDate,
  signal?: AbortSignal,
): Promise<DocumentAnswer> {
  const reader = {
    module: { path: './documentReader/child', from: import.meta.url },
    flags: ['--max-old-space-size=512'],
    args: [format, anchor],
    pipes: 1,
  }
  const { child, ended, stop } = startIsolated(reader, signal)
  // The child enforces its own time limit; this covers a child that cannot.
  const late = setTimeout(stop, READ_MS + 5_000)
  try {
    const given = pipeline(bytes, child.stdin as Writable).then(
      () => undefined,
      (error: unknown) => error,
    )
    const answer = collect(child.stdio[3] as Readable, stop)
    const [text, { code, killedBy, fromOutside }, notGiven] = await Promise.all([answer, ended, given])
    if (text !== undefined && text !== '') return JSON.parse(text) as DocumentAnswer
    // A reader that has exited closes its input, so EPIPE alone says nothing about the file.
    if (notGiven !== undefined && (notGiven as NodeJS.ErrnoException).code !== 'EPIPE') throw notGiven
    if (text !== undefined && fromOutside) throw new Error(`the document reader was killed by ${killedBy}`)
    return brokenDown(text === undefined ? 'its content is too large' : `${killedBy ?? code}`)
  } finally {
    clearTimeout(late)
  }
}

/** Returns the answer's text; undefined if it exceeds ANSWER_BYTES. */
async function collect(stream: Readable, stop: () => void): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size <= ANSWER_BYTES) chunks.push(chunk)
    else stop()
  }
  return size > ANSWER_BYTES ? undefined : Buffer.concat(chunks).toString('utf8')
}

/** The most bytes of an answer: 500 lines of a dozen cells of 256 characters each, of three bytes, and the totals. */
const ANSWER_BYTES = 8 * 1024 * 1024

function brokenDown(how: string): DocumentAnswer {
  return { reading: { unreadable: `the reader failed on it (${how})` }, counted_from_anchor: false }
}
