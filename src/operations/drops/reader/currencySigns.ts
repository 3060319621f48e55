import type { TableRow } from '../../../adapters/tables/rowReader/table.ts'
import { isSignOf, writtenMoney } from '../../../domain/drops/written/writtenNumber.ts'
import type { NamedColumn } from './header.ts'
import type { SentEntry } from './sentEntry.ts'

/**
 * Refuses rows whose amounts have the sign of another currency than the row. Without a currency in the row nothing says that a sign is meant, unless a
 * mapping says how the file is read.
 */
export function withSigns(
  columns: readonly NamedColumn[],
  isMapped: boolean,
  read: (row: TableRow) => SentEntry,
): (row: TableRow) => SentEntry {
  const amounts = columns.filter(({ column }) => column?.form === 'money')
  if (amounts.length === 0) return read
  const currencyAt = columns.find(({ column }) => column?.name === 'currency')?.at
  return (tableRow) => {
    const { row, cells, fault } = tableRow
    if (fault !== undefined) return read(tableRow)
    for (const { at, path } of amounts) {
      const cell = cells[at]
      const sign = typeof cell === 'string' && HAS_SIGN.test(cell) ? writtenMoney(cell.trim()).sign : undefined
      if (sign === undefined) continue
      const currency = currencyAt === undefined ? '' : String(cells[currencyAt] ?? '').trim()
      if (currency === '' ? isMapped : isSignOf(sign, currency)) continue
      const field = path.join('.')
      const why = currency === '' ? 'the row has no currency' : `the currency of the row is ${currency}`
      const message = `${field} has the sign ${sign}, and ${why}.`
      return { row, entry: undefined, head: {}, error: { row, error_code: 'INVALID_ENTRY', field, value: cell, message } }
    }
    return read(tableRow)
  }
}

const HAS_SIGN = /[^\d.,\s-]/
