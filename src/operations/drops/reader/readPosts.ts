import { DeliveryPost, PostKey, StationInvoiceRow } from '../../../contract/deliveryPost.ts'
import { asRunOutcome } from '../../../contract/vocabulary/asRun.ts'
import { WARNINGS_PER_DROP } from '../../../contract/vocabulary/drops.ts'
import { broadcastDateOf } from '../../../domain/settlement/sellerRows.ts'
import { parseEntry } from '../../publishing/parseEntries.ts'
import { type EntryOutput, type EntryReader, rowErrors, warnUnknown } from './entryReader.ts'
import { sliceLine } from './messages.ts'

/** Checks the rows of logs, invoices and audience posts against their schemas. */
export function readPosts(output: EntryOutput): EntryReader {
  let words = new Map<string, UnsaidWord>()
  return {
    beginFile() {
      words = new Map()
    },
    take(sent) {
      const { row, entry, isStation = false } = sent
      const read = parseEntry<unknown>(isStation ? StationInvoiceRow : DeliveryPost, row, entry)
      if (read.errors !== undefined) return output.reject(row, rowErrors(read.errors), 1, sliceLine({ row, refused: readableKey(entry) }))
      warnUnknown(output, DeliveryPost, sent)
      const post = read.value as DeliveryPost
      if (post.record_type === 'as_run') addUnsaid(words, post.status, row)
      output.accept(row, sliceLine({ row, entry: withDay(post) }))
    },
    endFile(last) {
      for (const [word, { row, rows, isKnown }] of words) {
        const [code, why] = isKnown
          ? ['UNDECIDED_STATUS', 'which does not say yet whether a spot aired']
          : ['UNKNOWN_STATUS', 'which is not a known word']
        const which = rows === 1 ? `Row ${row} has` : `${rows} rows, from row ${row} on, have`
        output.warn(
          {
            row,
            code,
            message: `${which} the status ${JSON.stringify(word)}, ${why}; ${rows === 1 ? 'it changes' : 'they change'} nothing.`,
          },
          last,
        )
      }
    },
  }
}

/** A status of a file that does not say whether a spot aired: its first row, and its number of rows. */
interface UnsaidWord {
  readonly row: number
  rows: number
  /** Whether it is known to say nothing yet. */
  readonly isKnown: boolean
}

/** Counts the row if its status says neither that the spot aired nor that it did not. */
function addUnsaid(words: Map<string, UnsaidWord>, status: string, row: number): void {
  const outcome = asRunOutcome(status)
  if (outcome === 'aired' || outcome === 'not_aired') return
  const known = words.get(status)
  if (known !== undefined) known.rows += 1
  else if (words.size < WARNINGS_PER_DROP) words.set(status, { row, rows: 1, isKnown: outcome === 'undecided' })
}

/** Adds the broadcast date of an airing and whether the spot ran: null if the log does not say. */
function withDay(post: DeliveryPost): object {
  if (post.record_type === 'post') return post
  const ran = post.record_type === 'as_run' ? RAN[asRunOutcome(post.status) ?? 'undecided'] : post.run_code === 'Y'
  return { ...post, ran, broadcast_date: broadcastDateOf(post) }
}

const RAN = { aired: true, not_aired: false, undecided: null } as const

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
