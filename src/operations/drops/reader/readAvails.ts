import { readFileSync } from 'node:fs'
import { Avail } from '../../../contract/avail.ts'
import type { EntryError } from '../../../contract/product.ts'
import { availRules } from '../../../domain/publish/stageAvails.ts'
import { invalidEntry } from '../../../domain/publish/staged.ts'
import { periodWarnings } from '../../../domain/publish/unorderable.ts'
import { parseEntry } from '../../publishing/parseEntries.ts'
import { type EntryOutput, type EntryReader, rowErrors, warnUnknown } from './entryReader.ts'
import type { ReadTask, SoldProduct } from './messages.ts'
import { parseByMember } from './parseByMember.ts'
import { RepeatedPeriods } from './repeatedPeriods.ts'

/** Checks avails against their schema and the rules, and converts accepted ones to COPY text. A period may occur only once in all files. */
export function readAvails({ products: path }: ReadTask, output: EntryOutput): EntryReader {
  const products = soldProducts(path)
  const faultOf = availRules(products)
  const warningsOf = periodWarnings(products)
  const byMember = parseByMember(Avail, copyText)
  const repeats = new RepeatedPeriods()
  const repeated = (row: number, { product_id, period }: Avail): EntryError | undefined =>
    repeats.isRepeated(product_id, period)
      ? invalidEntry(row, 'period.start', period.start, `${period.start} is already in an earlier row.`)
      : undefined
  return {
    take(sent) {
      const { row, entry, isShared = false } = sent
      const known = isShared ? byMember(entry as object) : undefined
      const read = known ?? parseEntry(Avail, row, entry)
      if (read.errors !== undefined) return output.reject(row, rowErrors(read.errors))
      const avail = { index: row, value: read.value }
      const error = faultOf(avail) ?? repeated(row, read.value)
      if (error !== undefined) return output.reject(row, rowErrors([error]))
      if (output.takesWarnings) for (const { code, message } of warningsOf(avail)) output.warn({ row, code, message })
      warnUnknown(output, Avail, sent)
      output.accept(row, copyLine(row, read.value, known?.text ?? copyText(JSON.stringify(read.value))))
    },
  }
}

function soldProducts(path: string | undefined): Map<string, SoldProduct> {
  const lines = path === undefined ? [] : readFileSync(path, 'utf8').split('\n')
  const products = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as SoldProduct)
  return new Map(products.map((product) => [product.product_id, product]))
}

function copyLine(row: number, { product_id, period, state }: Avail, body: string): string {
  return `${row}\t${copyText(product_id)}\t${period.grain}\t${period.start}\t${state}\t${body}\n`
}

const SPECIAL = /[\\\t\n\r]/
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** Escapes a value for the text format of COPY. */
function copyText(text: string): string {
  return SPECIAL.test(text) ? text.replaceAll(/[\\\t\n\r]/g, (character) => ESCAPES[character] as string) : text
}
