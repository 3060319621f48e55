import { readSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { StringDecoder } from 'node:string_decoder'
import { Unreadable } from '../../../adapters/tables/unreadable.ts'
import { DROP_FILE_SHAPES } from '../../../contract/dropColumns.ts'
import type { Mapping } from '../../../contract/mapping.ts'
import type { EntryReader } from './entryReader.ts'
import { ENTRY_READERS } from './entryReaders.ts'
import { HeaderFault } from './headerFault.ts'
import type { ChildTask, FileToRead, RowError } from './messages.ts'
import { Output, send } from './output.ts'
import { sentEntries } from './sentEntries.ts'
import { type Progress, startWatchdog } from './watchdog.ts'

/**
 * The reader process: takes a `ChildTask` as the first line of stdin and writes messages to descriptor 3. Each further line on stdin says that the
 * oldest slice is no longer needed.
 */
async function main(): Promise<void> {
  // The worker's other tasks take priority over reading a file.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  // A decoder may report one fault of a damaged file and leave further rejections that would end the process in a later file.
  process.on('unhandledRejection', () => undefined)
  const progress = startWatchdog()
  const input = new Lines()
  const task = JSON.parse(input.next()) as ChildTask
  // Waits without the event loop, since a decoder that parses ahead would fill the memory.
  const output = new Output(task, () => progress.waiting(() => input.next()))
  const reader = ENTRY_READERS[task.type](task, output)
  for (const [index, file] of task.files.entries()) {
    if (task.broken.includes(index)) continue
    progress.beginFile(file.path)
    output.beginFile(index)
    reader.beginFile?.(index)
    await readFile(file, task, reader, output, progress)
  }
  send({ kind: 'end' })
  process.exit(0)
}

async function readFile(
  file: FileToRead,
  { type, mappings }: ChildTask,
  reader: EntryReader,
  output: Output,
  progress: Progress,
): Promise<void> {
  let row = 0
  try {
    const reading = { mappings, onMapped: (mapping: Mapping) => output.mapped(mapping), alive: () => progress.row() }
    for await (const batch of sentEntries(file, type, DROP_FILE_SHAPES[type], (warning) => output.warn(warning), reading)) {
      for (const sent of batch) {
        row = sent.rows?.at(-1) ?? sent.row
        progress.row()
        if (sent.error === undefined) reader.take(sent)
        else output.reject(sent.row, [sent.error], sent.rows?.length)
        if (output.isFull) output.flush(row)
      }
    }
    reader.endFile?.(row)
    output.flush(row)
    output.endFile(row)
  } catch (error) {
    if (error instanceof HeaderFault) {
      output.reject(HEADER_ROW, error.errors, 0)
      output.flush(HEADER_ROW)
      output.endFile(HEADER_ROW)
    } else {
      output.flush(row)
      output.breakFile(unreadable(error, file))
    }
  }
}

const HEADER_ROW = 1

/** Reports a file as unreadable. Library errors are internal and mean that the file is damaged, so the sender does not see their text. */
function unreadable(error: unknown, { filename, format }: FileToRead): RowError {
  const [why, row = 0] = error instanceof Unreadable ? [error.message, error.row] : [faultOf(error, format)]
  return { row, error_code: 'UNREADABLE_FILE', message: `${filename} cannot be read: ${why}.` }
}

function faultOf(error: unknown, format: FileToRead['format']): string {
  // The drop continued on another machine, where the spool is filled again from the store.
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'it was replaced or removed after the manifest was registered'
  return `it is damaged or is not a ${format} file`
}

const STDIN = 0

/** The lines of stdin, read without the event loop. */
class Lines {
  readonly #decoder = new StringDecoder('utf8')
  readonly #bytes = Buffer.alloc(64 * 1024)
  #text = ''

  /** Returns the next line. Ends the process if there is none: its caller has stopped waiting. */
  next(): string {
    for (;;) {
      const end = this.#text.indexOf('\n')
      if (end !== -1) {
        const line = this.#text.slice(0, end)
        this.#text = this.#text.slice(end + 1)
        return line
      }
      const read = readSync(STDIN, this.#bytes)
      if (read === 0) process.exit(1)
      this.#text += this.#decoder.write(this.#bytes.subarray(0, read))
    }
  }
}

await main()
