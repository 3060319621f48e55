import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Product } from '../../contract/product.ts'
import { type ProductTerms, termsOf } from '../../domain/publish/productTerms.ts'
import type { ProductToSave } from '../../store/catalog/saveCatalog.ts'
import { beginTurn } from '../loopTurns.ts'
import { BEFORE_ENTRY, type Slice, type SliceLine } from './reader/messages.ts'

/**
 * A product of a drop as it is held until it is published: what rules compare is in memory, and its text stays on the disk. The products
 * of one drop may have five million occurrences.
 */
export type HeldProduct = ProductTerms & ProductToSave

/** A line of a slice, and where its entry is in the slice's file. */
export interface PlacedLine extends SliceLine {
  readonly path: string
  readonly start: number
  readonly end: number
}

const LINE_END = 0x0a

/** Yields the lines of a slice one by one. */
export async function* linesOf({ path, accepted }: Pick<Slice, 'path' | 'accepted'>): AsyncGenerator<PlacedLine, void> {
  if (accepted === 0) return
  const bytes = await readFile(path)
  const turn = beginTurn()
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(LINE_END, from)
    const line = JSON.parse(bytes.toString('utf8', from, end)) as SliceLine
    // The entry is the last member of its line.
    yield { ...line, path, start: bytes.indexOf(BEFORE_ENTRY, from) + BEFORE_ENTRY.length, end: end - 1 }
    from = end + 1
    if (turn.isOver()) await turn.pass()
  }
}

/** Returns a function that holds products, whose texts it reads from the files of their slices. */
export function holdProducts(): (line: PlacedLine) => HeldProduct {
  /** The file that was read last. Products are saved in the order of the files. */
  let last: { readonly path: string; readonly bytes: Buffer } | undefined
  const textAt = (path: string, start: number, end: number): string => {
    if (last?.path !== path) last = { path, bytes: readFileSync(path) }
    return last.bytes.toString('utf8', start, end)
  }
  return ({ entry, path, start, end }) => ({ ...termsOf(entry as Product), text: () => textAt(path, start, end) })
}
