import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { startIsolated } from '../../adapters/processes/isolatedProcess.ts'
import type { ChildMessage, ChildTask, ReaderMessage, ReadTask } from './reader/messages.ts'

/**
 * Reads the untrusted files of one type in a separate process and yields their contents, in manifest order. Every file ends in `fileEnd` or
 * `unreadable`; a file that crashes the reader, or makes it run out of memory or time, is unreadable, and reading continues after it.
 * The reader is at most two slices ahead, and removes a slice's file when the next message is requested. Rejects if it cannot start,
 * is stopped from outside or cannot write a slice, since that says nothing about the files; `signal` stops it.
 */
export async function* readDropFiles(task: ReadTask, signal?: AbortSignal): AsyncGenerator<ReaderMessage, void, undefined> {
  const broken: number[] = []
  for (let { after } = task; (after?.file ?? 0) < task.files.length; ) {
    const failure = yield* runReader({ ...task, after, broken }, signal)
    if (failure === undefined) return
    const { file, why } = failure
    const message = `${task.files[file]?.filename} cannot be read: ${why}.`
    yield { kind: 'unreadable', file, error: { row: 0, error_code: 'UNREADABLE_FILE', message } }
    broken.push(file)
    after = { file: file + 1, row: 0 }
  }
}

/** A file on which the reader died. */
interface Failure {
  readonly file: number
  readonly why: string
}

const READER = {
  module: { path: './reader/child', from: import.meta.url },
  flags: ['--max-old-space-size=256', '--max-semi-space-size=4'],
  pipes: 2,
}

async function* runReader(task: ChildTask, signal: AbortSignal | undefined): AsyncGenerator<ReaderMessage, Failure | undefined, undefined> {
  const { child, ended, stop } = startIsolated(READER, signal)
  ended.catch(() => undefined) // awaited below, unless the consumer stops first
  const stdin = child.stdin as Writable
  stdin.on('error', () => undefined) // the end of the reader reports more
  const reason = text(child.stdio[4] as Readable).catch(() => '')
  let file: number | undefined
  try {
    stdin.write(`${JSON.stringify(task)}\n`)
    for await (const line of createInterface({ input: child.stdio[3] as Readable, crlfDelay: Infinity })) {
      const message = parsed(line)
      if (message?.kind === 'end') return undefined
      if (message?.kind === 'unwritable')
        throw Object.assign(new Error(`a slice of ${task.type} files cannot be written`), { code: message.code })
      if (message?.kind === 'fileStart') file = message.file
      else if (message !== undefined) yield message
      if (message?.kind !== 'slice') continue
      await rm(message.path, { force: true })
      stdin.write('\n')
    }
    const { code, killedBy, fromOutside } = await ended
    const why = await reason
    if (why === '' && fromOutside) throw new Error(`the reader of ${task.type} files was killed by ${killedBy}`)
    if (file === undefined) throw new Error(`the reader of ${task.type} files ended before it read one (${killedBy ?? code})`)
    return { file, why: why === '' ? `the reader failed on it (${killedBy ?? code})` : why }
  } finally {
    stop()
    await ended.catch(() => undefined)
  }
}

/** Parses a message; undefined for the partial message of a reader that was killed. */
function parsed(line: string): ChildMessage | undefined {
  try {
    return JSON.parse(line) as ChildMessage
  } catch {
    return undefined
  }
}
