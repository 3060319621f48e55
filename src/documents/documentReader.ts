import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { READ_MS } from '../adapters/tableReader/limits.ts'
import type { UploadFormat } from '../contract/vocabulary.ts'
import type { IsoDate } from '../domain/calendar.ts'
import type { DocumentReading } from '../domain/document/readDocument.ts'

/** A document's content, and whether it depends on the anchor date from which dates without a year are resolved. */
export interface DocumentAnswer {
  readonly reading: DocumentReading
  readonly counted_from_anchor: boolean
}

/**
 * Reads an untrusted document in a process of its own. A document that crashes the reader, or makes it run out of memory or time, is reported
 * as unreadable. Rejects if the reader cannot start or is stopped from outside, since that says nothing about the file. Consumes `bytes`;
 * `signal` stops the reader.
 */
export async function readDocumentFile(
  bytes: Readable,
  format: UploadFormat,
  anchor: IsoDate,
  signal?: AbortSignal,
): Promise<DocumentAnswer> {
  const child = spawn(process.execPath, [...CHILD, format, anchor], {
    env: {}, // no settings, no credentials
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
    ...(signal === undefined ? {} : { signal }),
    killSignal: 'SIGKILL',
  })
  const ended = new Promise<{ code: number | null; killedBy: NodeJS.Signals | null }>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, killedBy) => resolve({ code, killedBy }))
  })
  const onOurExit = () => child.kill('SIGKILL')
  process.once('exit', onOurExit)
  // The child enforces its own time limit; this covers a child that cannot.
  const late = setTimeout(() => child.kill('SIGKILL'), READ_MS + 5_000)
  try {
    const given = pipeline(bytes, child.stdin as Writable).then(
      () => undefined,
      (error: unknown) => error,
    )
    const answer = collect(child.stdio[3] as Readable, () => child.kill('SIGKILL'))
    const [text, { code, killedBy }, notGiven] = await Promise.all([answer, ended, given])
    if (text !== undefined && text !== '') return JSON.parse(text) as DocumentAnswer
    // A reader that has exited closes its input: EPIPE alone says nothing about the file.
    if (notGiven !== undefined && (notGiven as NodeJS.ErrnoException).code !== 'EPIPE') throw notGiven
    if (text !== undefined && killedBy !== null && !CRASHES.includes(killedBy))
      throw new Error(`the document reader was killed by ${killedBy}`)
    return brokenDown(text === undefined ? 'its content is too large' : `${killedBy ?? code}`)
  } finally {
    clearTimeout(late)
    process.removeListener('exit', onOurExit)
  }
}

/** Signals that end a process which exhausts its heap or crashes in native code. */
const CRASHES: readonly NodeJS.Signals[] = ['SIGABRT', 'SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGTRAP']

/** Runs the source through tsx in development, and the compiled file in production. */
const CHILD = ((): string[] => {
  const entry = fileURLToPath(new URL(`documentReader/child${import.meta.url.slice(-3)}`, import.meta.url))
  const heap = '--max-old-space-size=512'
  if (entry.endsWith('.js')) return [heap, entry]
  return [heap, '--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href, entry]
})()

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

/** 500 lines of a dozen cells of 256 characters each, of three bytes, and the totals. */
const ANSWER_BYTES = 8 * 1024 * 1024

function brokenDown(how: string): DocumentAnswer {
  return { reading: { unreadable: `the reader failed on it (${how})` }, counted_from_anchor: false }
}
