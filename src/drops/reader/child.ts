import { constants, setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import { Unreadable } from '../../adapters/unreadable.ts'
import { PUBLISH_COLUMNS } from '../../contract/dropColumns.ts'
import type { ChildTask, FileToRead } from './messages.ts'
import { Output, send } from './output.ts'
import { readAvails } from './readAvails.ts'
import { HeaderFault, sentEntries } from './sentEntries.ts'
import { startWatchdog } from './watchdog.ts'

/**
 * The reader process: takes a `ReadTask` as the first line of stdin and writes messages to descriptor 3. Each further line on stdin says that a slice
 * is no longer needed.
 */
async function main(): Promise<void> {
  // The worker's other tasks take priority over reading a file.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  const progress = startWatchdog()
  const { task, room } = await startReading()
  const output = new Output(task, (most) => progress.waiting(() => room(most)))
  const reader = await readAvails(task, output)
  for (const [index, file] of task.files.entries()) {
    if (task.broken.includes(index)) continue
    progress.beginFile()
    output.beginFile(index)
    await readFile(file)
  }
  send({ kind: 'end' })
  process.exit(0)

  async function readFile(file: FileToRead): Promise<void> {
    let row = 0
    try {
      for await (const sent of sentEntries(file, PUBLISH_COLUMNS.avails, (warning) => output.warn(warning))) {
        for (const entry of sent) {
          row = entry.row
          progress.row()
          if (entry.error === undefined) reader.take(entry)
          else output.reject(row, [entry.error])
          if (output.isFull) await output.flush(row)
        }
      }
    } catch (error) {
      if (error instanceof HeaderFault) {
        for (const one of error.errors) output.reject(one.row, [one], 0)
      } else {
        await output.flush(row)
        return output.breakFile(unreadable(error, file))
      }
    }
    reader.endFile?.()
    await output.flush(row)
    output.endFile(row)
  }
}

/** Library errors are internal and mean that the file is damaged, so their text is not shown to the sender. */
function unreadable(error: unknown, { filename, format }: FileToRead) {
  const why = error instanceof Unreadable ? error.message : `it is damaged or is not a ${format} file`
  const row = error instanceof Unreadable ? (error.row ?? 0) : 0
  return { row, error_code: 'UNREADABLE_FILE', message: `${filename} cannot be read: ${why}.` } as const
}

/** Returns the task, and a wait for room: slices are given back in the order in which they were sent. */
async function startReading(): Promise<{ task: ChildTask; room: (most: number) => Promise<void> }> {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
  const { value } = await lines.next()
  let slices = 0
  return {
    task: JSON.parse(value as string) as ChildTask,
    async room(most) {
      for (; slices > most; slices -= 1) if ((await lines.next()).done) process.exit(1)
      slices += 1
    },
  }
}

await main()
