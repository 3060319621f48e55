import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { UploadFormat } from '../contract/vocabulary.ts'
import type { TablesRead } from '../domain/document/table.ts'
import { READ_MS } from './tableReader/limits.ts'

/**
 * Reads the tables of a file that a stranger wrote, in a process of its own: a file that makes the reader run out of memory or time, or
 * brings it down, is unreadable, and that is an answer. Fails when there was no reader to be had, or when it was stopped from outside:
 * then nothing is known about the file. `bytes` is consumed; `signal` stops the reader.
 */
export async function readTables(bytes: Readable, format: UploadFormat, signal?: AbortSignal): Promise<TablesRead> {
  const child = spawn(process.execPath, [...CHILD, format], {
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
    const answer = collect(child.stdio[3] as Readable)
    const [text, { code, killedBy }, notGiven] = await Promise.all([answer, ended, given])
    if (text.length > 0) return JSON.parse(text) as TablesRead
    // A reader that has gone does not take the rest of its file: that alone says nothing about the file.
    if (notGiven !== undefined && (notGiven as NodeJS.ErrnoException).code !== 'EPIPE') throw notGiven
    if (killedBy !== null && !CRASHES.includes(killedBy)) throw new Error(`the reader of a file was ended by ${killedBy}`)
    return { unreadable: `its reader broke down over it (${killedBy ?? code})` }
  } finally {
    clearTimeout(late)
    process.removeListener('exit', onOurExit)
  }
}

/** How a process ends that runs out of its heap, or into a fault of native code. */
const CRASHES: readonly NodeJS.Signals[] = ['SIGABRT', 'SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGTRAP']

/** In development the source itself, through tsx; in production what tsc made of it. */
const CHILD = ((): string[] => {
  const entry = fileURLToPath(new URL(`tableReader/child${import.meta.url.slice(-3)}`, import.meta.url))
  const heap = '--max-old-space-size=512'
  if (entry.endsWith('.js')) return [heap, entry]
  return [heap, '--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href, entry]
})()

async function collect(stream: Readable): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
