import { createWriteStream, writeSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { Table, TablesRead } from '../../domain/document/table.ts'
import { CELL_CHARACTERS, CELLS, FILE_BYTES, MEMORY_BYTES, READ_MS, Unreadable } from './limits.ts'

/** The reader's process: a file on stdin, its format as argument, the answer as JSON on descriptor 3. */
async function main(format: string | undefined): Promise<void> {
  const watch = startWatchdog()
  const answer = await read(format).catch((error: unknown): TablesRead => {
    // Whatever a library says of a file is not for its sender: what they tell of is damage.
    return { unreadable: error instanceof Unreadable ? error.message : `it is damaged, or no ${format} at all` }
  })
  await watch.terminate()
  createWriteStream('', { fd: ANSWER }).end(JSON.stringify(answer), () => process.exit(0))
}

const ANSWER = 3
type Reader = (bytes: Buffer) => Promise<Table[]>
/** Only what is needed is loaded: a library takes longer to load than most files to read. */
const READERS: Record<string, () => Promise<Reader>> = {
  csv: async () => (await import('./csv.ts')).readCsv,
  xlsx: async () => (await import('./xlsx.ts')).readXlsx,
  pdf: async () => (await import('./pdf.ts')).readPdf,
}

async function read(format: string | undefined): Promise<TablesRead> {
  const load = READERS[format ?? '']
  if (load === undefined) throw new Unreadable(`${format} is not a format of documents`)
  const tables = await (await load())(await stdin())
  const cells = tables.reduce((sum, { rows }) => sum + rows.reduce((inRows, row) => inRows + row.length, 0), 0)
  if (cells > CELLS) throw new Unreadable(`it holds more than ${CELLS} cells`)
  return { tables: tables.map(shortened) }
}

function shortened({ layout, rows }: Table): Table {
  return { layout, rows: rows.map((row) => row.map((cell) => ({ ...cell, text: cell.text.slice(0, CELL_CHARACTERS) }))) }
}

async function stdin(): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of process.stdin) {
    size += chunk.length
    if (size > FILE_BYTES) throw new Unreadable('it is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * Ends the process, with an answer, when it takes too much memory or time. On a thread of its own, since a reader at work lets no timer
 * of the main thread run.
 */
function startWatchdog(): Worker {
  const write = (unreadable: string) => JSON.stringify(JSON.stringify({ unreadable } satisfies TablesRead))
  return new Worker(
    `const { writeSync } = require('node:fs')
     const end = (answer) => { writeSync(${ANSWER}, answer); process.kill(process.pid, 'SIGKILL') }
     setInterval(() => { if (process.memoryUsage.rss() > ${MEMORY_BYTES}) end(${write('it needs too much memory to be read')}) }, 50)
     setTimeout(() => end(${write('it takes too long to be read')}), ${READ_MS})`,
    { eval: true },
  )
}

main(process.argv[2]).catch(() => {
  writeSync(ANSWER, JSON.stringify({ unreadable: 'it could not be read' } satisfies TablesRead))
  process.exit(1)
})
