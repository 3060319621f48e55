import { createReadStream } from 'node:fs'
import { Unreadable } from '../unreadable.ts'
import { JsonCutter, type JsonPiece } from './jsonCutter.ts'
import { ROWS } from './limits.ts'

/** An entry of a json file as its bytes. */
export interface JsonEntry {
  readonly row: number
  readonly bytes: Buffer
  /** The body that holds the entry, counted from 0; undefined for JSON lines. */
  readonly body: number | undefined
}

/**
 * Cuts a json file into its entries without parsing them: either bodies in the form of the PUT, with the entries in their member `list`,
 * alone or in an array, or separate entries as JSON lines or in an array. Entries are numbered from 1.
 */
export async function* readJsonEntries(path: string, list: string): AsyncGenerator<readonly JsonEntry[]> {
  let row = 0
  for await (const pieces of piecesOf(path, list)) {
    const entries: JsonEntry[] = []
    for (const piece of pieces) {
      if (piece.kind !== 'entry') continue
      row += 1
      if (row > ROWS) {
        // Entries before the fault still count.
        yield entries
        throw new Unreadable(`it has more than ${ROWS} entries`, row)
      }
      entries.push({ row, bytes: piece.bytes, body: piece.body })
    }
    yield entries
  }
}

/** Returns the bodies of a json file, each with an empty list in place of its entries. */
export async function readJsonBodies(path: string, list: string): Promise<Buffer[]> {
  const bodies: Buffer[] = []
  try {
    for await (const pieces of piecesOf(path, list)) for (const piece of pieces) if (piece.kind === 'body') bodies.push(piece.bytes)
  } catch (error) {
    // The entries before the fault still count, and reading them finds the fault again.
    if (!(error instanceof Unreadable)) throw error
  }
  return bodies
}

async function* piecesOf(path: string, list: string): AsyncGenerator<readonly JsonPiece[]> {
  const cutter = new JsonCutter(list)
  let isFirst = true
  // A small chunk's entries are used before a garbage collection would copy them.
  for await (const chunk of createReadStream(path, { highWaterMark: 32 * 1024 }) as AsyncIterable<Buffer>) {
    const hasMark = isFirst && chunk.subarray(0, 3).equals(BYTE_ORDER_MARK)
    isFirst = false
    const { pieces, fault } = cutter.take(hasMark ? chunk.subarray(3) : chunk)
    yield pieces
    if (fault !== undefined) throw fault
  }
  yield cutter.end()
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff')
