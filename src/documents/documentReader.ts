import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { READ_MS } from '../adapters/tableReader/limits.ts'
import type { UploadFormat } from '../contract/vocabulary.ts'
import type { IsoDate } from '../domain/calendar.ts'
import type { DocumentReading } from '../domain/document/readDocument.ts'

/** What a document says, and whether that depends on the date from which those without a year were counted. */
export interface DocumentAnswer {
  readonly reading: DocumentReading
  readonly counted_from_anchor: boolean
}

/**
 * Reads a document that a stranger wrote, in a process of its own: one that makes the reader run out of memory or time, or brings it down,
 * is unreadable, and that is an answer. Fails when no reader can be started, and when the reader is stopped from outside: then nothing is
 * known about the file. Consumes `bytes`; `signal` stops the reader.
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
  // The child keeps its own time; this is for one that cannot.
  const late = setTimeout(() => child.kill('SIGKILL'), READ_MS + 5_000)
  try {
    const given = pipeline(bytes, child.stdin as Writable).then(
      () => undefined,
      (error: unknown) => error,
    )
    const answer = collect(child.stdio[3] as Readable, () => child.kill('SIGKILL'))
    const [text, { code, killedBy }, notGiven] = await Promise.all([answer, ended, given])
    if (text !== undefined && text !== '') return JSON.parse(text) as DocumentAnswer
    // A reader that has gone does not take the rest of its file: that alone says nothing about the file.
    if (notGiven !== undefined && (notGiven as NodeJS.ErrnoException).code !== 'EPIPE') throw notGiven
    if (text !== undefined && killedBy !== null && !CRASHES.includes(killedBy))
      throw new Error(`the reader of a file was ended by ${killedBy}`)
    return brokenDown(text === undefined ? 'it says too much' : `${killedBy ?? code}`)
  } finally {
    clearTimeout(late)
    process.removeListener('exit', onOurExit)
  }
}

/** How a process ends that runs out of its heap, or into a fault of native code. */
const CRASHES: readonly NodeJS.Signals[] = ['SIGABRT', 'SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGTRAP']

/** In development the source itself, through tsx; in production what tsc made of it. */
const CHILD = ((): string[] => {
  const entry = fileURLToPath(new URL(`documentReader/child${import.meta.url.slice(-3)}`, import.meta.url))
  const heap = '--max-old-space-size=512'
  if (entry.endsWith('.js')) return [heap, entry]
  return [heap, '--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href, entry]
})()

/** The answer's text; undefined when it is longer than an answer can be. */
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
  return { reading: { unreadable: `its reader broke down over it (${how})` }, counted_from_anchor: false }
}
