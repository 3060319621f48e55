import type { DropWarning } from '../../contract/drop.ts'
import type { OutrankedWhole, ReplacedWhole, Whole } from '../../store/settlement/closeReplaced.ts'
import type { StoredPosts } from '../../store/settlement/replacePosts.ts'

/** The warnings of a drop of delivery posts about rows of earlier drops, and about rows of its own that do not count (choices, Delivery posts). */

/** Warns of a log or an invoice that has replaced one of an earlier drop, and of rows of that one that stay. */
export function replacedWarnings(whole: ReplacedWhole): DropWarning[] {
  const { file, row, drop_id, replaced, missing, kept } = whole
  const what = nameOf(whole)
  const gone = missing - kept
  const lost = gone === 0 ? '' : `; ${gone} of them ${isOrAre(gone)} at a date and time at which this drop has no row`
  const warning = {
    ...{ file, row, code: 'REPLACED_ROWS' },
    message: `${what} replaces ${rowsText(replaced - kept)}${drop_id === null ? '' : ` of the drop ${drop_id}`}${lost}.${remedyOf(whole, gone)}`,
  }
  const stays = {
    ...{ file, row, code: 'KEPT_ROWS' },
    message: `${what}: ${rowsText(kept)} of earlier drops ${kept === 1 ? 'stays' : 'stay'} in force, since rows were refused or say nothing yet. Send it again with these rows corrected.`,
  }
  return [...(replaced > kept ? [warning] : []), ...(kept > 0 ? [stays] : [])]
}

/** Warns of a log or an invoice that does not count, since one of a higher revision stands. */
export function outrankedWarning(whole: OutrankedWhole): DropWarning {
  const { file, row, rows, drop_id, revision } = whole
  const current = `revision ${revision}${drop_id === null ? '' : ` of the drop ${drop_id}`}`
  const message = `${nameOf(whole)}: ${rowsText(rows)} ${rows === 1 ? 'does' : 'do'} not count, since ${current} stands. Send ${rows === 1 ? 'it' : 'them'} with a higher revision.`
  return { file, row, code: 'OUTRANKED_ROWS', message }
}

/** Warns of audience posts of a slice that do not count. */
export function uncountedWarnings(file: string, row: number, { outranked, repeated }: StoredPosts): DropWarning[] {
  return [
    ...(outranked === 0
      ? []
      : [
          {
            ...{ file, row, code: 'OUTRANKED_ROWS' },
            message: `${outranked} audience posts up to this row do not count, since posts of a higher revision stand in their place.`,
          },
        ]),
    ...(repeated === 0
      ? []
      : [
          {
            ...{ file, row, code: 'REPEATED_POST' },
            message: `${repeated} audience posts up to this row give other figures for a line, date, audience and stream of which the drop has another row; the final one counts, then the largest. Send the figure of all spots of the date in one row.`,
          },
        ]),
  ]
}

function nameOf({ network, broadcast_date, log_id, invoice_number }: Whole): string {
  if (invoice_number !== null) return `The invoice ${invoice_number}`
  return `The log ${log_id === '' ? '' : `${log_id} `}of ${network} on ${broadcast_date}`
}

/** Says how both could count, where rows are gone. */
function remedyOf({ invoice_number }: Whole, gone: number): string {
  if (gone === 0) return ''
  return invoice_number === null
    ? ' Logs of one day that are both to count need a log_id each.'
    : ' Invoices that are both to count need a number each.'
}

function rowsText(count: number): string {
  return `${count} ${count === 1 ? 'row' : 'rows'}`
}

function isOrAre(count: number): string {
  return count === 1 ? 'is' : 'are'
}
