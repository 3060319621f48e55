import { DeliveryPost, isAired, PostKey, StationInvoiceRow } from '../../contract/deliveryPost.ts'
import { broadcastDateOf } from '../../domain/settlement/sellerRows.ts'
import { parseEntry } from '../../publishing/parseEntries.ts'
import { type EntryOutput, type EntryReader, rowErrors, warnUnknown } from './entryReader.ts'
import { sliceLine } from './messages.ts'

/** Checks the rows of logs, invoices and audience posts against their schemas. */
export function readPosts(output: EntryOutput): EntryReader {
  return {
    take(sent) {
      const { row, entry, isStation = false } = sent
      const read = parseEntry<unknown>(isStation ? StationInvoiceRow : DeliveryPost, row, entry)
      if (read.errors !== undefined) return output.reject(row, rowErrors(read.errors), 1, sliceLine({ row, refused: readableKey(entry) }))
      warnUnknown(output, DeliveryPost, sent)
      output.accept(row, sliceLine({ row, entry: withDay(read.value as DeliveryPost) }))
    },
  }
}

/** Adds the broadcast date of an airing and whether the spot ran. */
function withDay(post: DeliveryPost): object {
  if (post.record_type === 'post') return post
  const ran = post.record_type === 'as_run' ? isAired(post.status) : post.run_code === 'Y'
  return { ...post, ran, broadcast_date: broadcastDateOf(post) }
}

/** Returns what can be read of a refused row: of which log or invoice it is, and its time. */
function readableKey(entry: unknown): object {
  const read = PostKey.safeParse(entry)
  if (!read.success) return {}
  const { air_date, air_time, clock, ...key } = read.data
  return {
    ...key,
    air_date,
    air_time,
    ...(air_date === undefined ? {} : { broadcast_date: broadcastDateOf({ air_date, air_time, clock }) }),
  }
}
