import { DeliveryPost, StationInvoiceRow } from '../../contract/deliveryPost.ts'
import { parseEntry } from '../../publishing/parseEntries.ts'
import { type EntryOutput, type EntryReader, rowErrors, warnUnknown } from './entryReader.ts'
import { sliceLine } from './messages.ts'

/** Holds the rows of logs, invoices and audience posts to their schemas. */
export function readPosts(output: EntryOutput): EntryReader {
  return {
    take(sent) {
      const { row, entry, isStation = false } = sent
      const read = parseEntry<unknown>(isStation ? StationInvoiceRow : DeliveryPost, row, entry)
      if (read.errors !== undefined) return output.reject(row, rowErrors(read.errors))
      warnUnknown(output, DeliveryPost, sent)
      output.accept(row, sliceLine({ row, entry: read.value }))
    },
  }
}
