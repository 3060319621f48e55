import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { Avail } from '../../contract/avail.ts'
import type { EntryError } from '../../contract/product.ts'
import { availRules } from '../../domain/publish/stageAvails.ts'
import { invalidEntry } from '../../domain/publish/staged.ts'
import { parseEntry } from '../../publishing/parseEntries.ts'
import type { EntryReader } from './entryReader.ts'
import type { ReadTask, SoldProduct } from './messages.ts'
import type { Output } from './output.ts'
import { RepeatedPeriods } from './repeatedPeriods.ts'
import { rowErrors } from './rowErrors.ts'

/** Holds avails to their schema and to the rules, and makes COPY text of those that are accepted. A period may occur once in all files. */
export async function readAvails({ products: path }: ReadTask, output: Output): Promise<EntryReader> {
  const products = await soldProducts(path)
  const faultOf = availRules(products)
  const repeats = new RepeatedPeriods()
  const repeated = (row: number, { product_id, period }: Avail): EntryError | undefined =>
    repeats.isRepeated(product_id, `${period.grain} ${period.start}`)
      ? invalidEntry(row, 'period.start', period.start, `${period.start} is already in an earlier row.`)
      : undefined
  return {
    take({ row, entry }) {
      const read = parseEntry(Avail, row, entry)
      if (read.errors !== undefined) return output.reject(row, rowErrors(read.errors))
      const error = faultOf({ index: row, value: read.value }) ?? repeated(row, read.value)
      if (error !== undefined) return output.reject(row, rowErrors([error]))
      output.accept(row, copyLine(row, read.value))
    },
  }
}

async function soldProducts(path: string | undefined): Promise<Map<string, SoldProduct>> {
  const products = new Map<string, SoldProduct>()
  if (path === undefined) return products
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const product = JSON.parse(line) as SoldProduct
    products.set(product.product_id, product)
  }
  return products
}

function copyLine(row: number, avail: Avail): string {
  const { product_id, period, state } = avail
  return `${row}\t${copyText(product_id)}\t${period.grain}\t${period.start}\t${state}\t${copyText(JSON.stringify(avail))}\n`
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
/** Escapes a value for the text format of COPY. */
function copyText(text: string): string {
  return SPECIAL.test(text) ? text.replaceAll(/[\\\t\n\r]/g, (character) => ESCAPES[character] as string) : text
}
const SPECIAL = /[\\\t\n\r]/
