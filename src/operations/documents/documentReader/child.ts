import { createWriteStream, writeSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { FILE_BYTES, MEMORY_BYTES, READ_MS, TOTALS } from '../../../adapters/tables/tableReader/limits.ts'
import { readSheets } from '../../../adapters/tables/tableReader.ts'
import { Unreadable } from '../../../adapters/tables/unreadable.ts'
import { LINES_PER_ORDER } from '../../../contract/vocabulary/bounds.ts'
import { separatorInstead } from '../../../domain/csvSeparators.ts'
import type { Sheet } from '../../../domain/document/cells.ts'
import { orderDocument } from '../../../domain/document/orderDocument.ts'
import { shownPages } from '../../../domain/document/reading.ts'
import { readOrder } from '../../../domain/document/readOrder.ts'
import { CELL_CHARACTERS } from '../../../domain/document/table.ts'
import { storableText } from '../../../domain/strictJson.ts'
import type { DocumentAnswer } from '../documentReader.ts'

/** The reader process: takes a file on stdin, its format and the anchor date as arguments, and writes the answer as JSON to descriptor 3. */
async function main(format: string | undefined, anchor: string | undefined): Promise<void> {
  // The worker's other tasks take priority over reading a file.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  const watch = startWatchdog()
  const answer = await read(format, anchor).catch((error: unknown): DocumentAnswer => {
    // Library errors are internal and mean that the file is damaged, so their text is not shown to the sender.
    return unreadable(error instanceof Unreadable ? error.message : `it is damaged or is not a ${format} file`)
  })
  await watch.terminate()
  createWriteStream('', { fd: ANSWER }).end(JSON.stringify(answer), () => process.exit(0))
}

const ANSWER = 3

async function read(format: string | undefined, anchor = ''): Promise<DocumentAnswer> {
  const bytes = await stdin()
  let counted_from_anchor = false
  const counted = () => {
    counted_from_anchor = true
    return anchor
  }
  const sheets = (await readSheets(Buffer.from(bytes), format)).map(kept)
  const document = orderDocument(readOrder(sheets, counted))
  const shown = shownPages(sheets)
  if ('unreadable' in document) {
    const otherwise = format === 'csv' ? separated(sheets) : undefined
    return otherwise === undefined ? { reading: document, counted_from_anchor: false, shown } : { ...unreadable(otherwise), shown }
  }
  const { length } = document.lines
  if (length > LINES_PER_ORDER) throw new Unreadable(`it has ${length} lines; an order can have at most ${LINES_PER_ORDER}`)
  if (document.totals.length > TOTALS) throw new Unreadable(`it states more than ${TOTALS} totals`)
  return { reading: document, counted_from_anchor, shown }
}

/** Returns the reason why the columns of a csv are not found: its fields are separated by another mark than commas. */
function separated([sheet]: readonly Sheet[]): string | undefined {
  const [top] = sheet?.texts ?? []
  const first = (sheet?.texts ?? []).filter(({ y }) => y === top?.y).map(({ text }) => text)
  const name = separatorInstead((mark) => first.join(',').split(mark).length - 1)
  return name && `its fields are separated by ${name}; save it with commas between the fields and points in decimals`
}

/**
 * Returns cells that an order can keep: the database reads its snapshot as JSON, without U+0000 or half a character. A truncated cell
 * ends with an ellipsis and is longer than any whole cell, so its line shows it as unresolved.
 */
function kept(sheet: Sheet): Sheet {
  return { ...sheet, texts: sheet.texts.map((text) => ({ ...text, text: storableText(shortened(text.text)) })) }
}

function shortened(text: string): string {
  return text.length <= CELL_CHARACTERS ? text : `${text.slice(0, CELL_CHARACTERS)}…`
}

function unreadable(why: string): DocumentAnswer {
  return { reading: { unreadable: why }, counted_from_anchor: false }
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
 * Answers and ends the process when it uses too much memory or time. Runs on its own thread, since a busy reader blocks the timers of the
 * main thread.
 */
function startWatchdog(): Worker {
  const write = (why: string) => JSON.stringify(JSON.stringify(unreadable(why)))
  return new Worker(
    `const { writeSync } = require('node:fs')
     const end = (answer) => { writeSync(${ANSWER}, answer); process.kill(process.pid, 'SIGKILL') }
     setInterval(() => { if (process.memoryUsage.rss() > ${MEMORY_BYTES}) end(${write('it needs too much memory to be read')}) }, 50)
     setTimeout(() => end(${write('it takes too long to be read')}), ${READ_MS})`,
    { eval: true },
  )
}

main(process.argv[2], process.argv[3]).catch(() => {
  writeSync(ANSWER, JSON.stringify(unreadable('it could not be read')))
  process.exit(1)
})
