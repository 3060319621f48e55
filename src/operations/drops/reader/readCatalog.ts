import { Product } from '../../../contract/product.ts'
import { Name } from '../../../contract/scalars.ts'
import { tidy } from '../../../domain/publish/stageCatalog.ts'
import { invalidEntry } from '../../../domain/publish/staged.ts'
import { parseEntry } from '../../publishing/parseEntries.ts'
import { type EntryOutput, type EntryReader, HELD_CHARACTERS, rowErrors, warnUnknown } from './entryReader.ts'
import { sliceLine } from './messages.ts'

/** The most products of a drop. */
const MAX_PRODUCTS = 100_000

/** Checks products against their schema. A drop has one taxonomy version: the first that is sent. */
export function readCatalog(output: EntryOutput, mostCharacters = HELD_CHARACTERS): EntryReader {
  let file = 0
  let version: string | undefined
  let products = 0
  let characters = 0
  return {
    beginFile(index) {
      file = index
    },
    take(sent) {
      const { row, entry, head, rows = [row] } = sent
      const refuse = (field: string, value: unknown, message: string) =>
        output.reject(row, rowErrors([invalidEntry(row, field, value, message)]), rows.length)
      const read = parseEntry(Product, row, entry)
      if (read.errors !== undefined) return output.reject(row, rowErrors(read.errors, sent), rows.length)
      const { taxonomy_version: named } = head
      if (named !== undefined && version === undefined) {
        const parsed = Name.safeParse(named)
        if (!parsed.success) return refuse('taxonomy_version', named, 'taxonomy_version must have 1 to 200 characters.')
        version = parsed.data
        output.head({ kind: 'catalog', file, row, taxonomy_version: version })
      }
      if (named !== undefined && named !== version)
        return refuse('taxonomy_version', named, `taxonomy_version must be ${version} in all rows of a drop.`)
      if (products === MAX_PRODUCTS) return refuse('product_id', read.value.product_id, `A drop can have at most ${MAX_PRODUCTS} products.`)
      const line = sliceLine({ row, ...(rows.length === 1 ? {} : { rows: rows.length }), entry: tidy(read.value) })
      if (characters + line.length > mostCharacters)
        return refuse('product_id', read.value.product_id, `The products of a drop can have at most ${mostCharacters} characters as JSON.`)
      characters += line.length
      products += 1
      warnUnknown(output, Product, sent)
      output.accept(row, line, rows.length)
    },
  }
}
