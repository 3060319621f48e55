import type { DocumentLine, LineDoubt } from '../../contract/documentParse.ts'
import { type Column, isGridOf } from './columns.ts'
import type { RowCells } from './rowCells.ts'
import type { TableCell } from './table.ts'

/**
 * Returns what a line may say wrong, by the values that the buyer is to state in its place. A row whose cells cannot be told apart leaves
 * nothing certain. Otherwise a value is in doubt if its heading has no cell in the row, if two columns state it differently, or if its units are
 * merged with those of other rows.
 */
export function doubtsOf(row: RowCells, columns: readonly Column[], line: DocumentLine['read'], units: TableCell | undefined): LineDoubt[] {
  if (row.torn !== undefined) {
    const message = `The row cannot be told apart by its columns: ${row.torn}. State what the line orders, or send the document again.`
    return ['product_id', 'period', 'units', 'rate'].map((field) => ({ field, message }))
  }
  const doubts = new Map<string, LineDoubt>()
  for (const { field, header } of columns) {
    const member = MEMBERS[field]
    if (member !== undefined && !doubts.has(member) && isMissing(field, row, line))
      doubts.set(member, { field: member, message: `The line has nothing under ${header.text}.` })
  }
  for (const [field, cell] of row.cells) {
    const isUnused = (field === 'units' && isGridOf(columns)) || (field === 'impressions_goal' && row.cells.has('units'))
    if (isUnused) continue
    const other = row.claims.find((claim) => claim.column.field === field && claim.cell.text !== cell.text)
    const member = MEMBERS[field]
    if (member === undefined || other === undefined) continue
    doubts.set(member, { field: member, message: `Two columns state it: "${cell.text}" and "${other.cell.text}".` })
  }
  if (units?.rows !== undefined)
    doubts.set('units', { field: 'units', message: `The cell ${units.at} stands for ${units.rows} rows; state the units of this one.` })
  return [...doubts.values()]
}

/** The members of `unresolved` that ask for the value of a column. Totals state nothing of a line. */
const MEMBERS: Partial<Record<Column['field'], string>> = {
  product: 'product_id',
  network: 'product_id',
  period: 'period',
  start: 'period',
  end: 'period',
  spot_length: 'spot_length',
  units: 'units',
  impressions_goal: 'units',
  rate: 'rate',
  cpm: 'rate',
  buy_type: 'buy_type',
  market_class: 'market_class',
  advertiser_class: 'advertiser_class',
  clearance_tier: 'clearance_tier',
}

/**
 * Returns true if a heading is without its cell, and nothing else states the value: neither a row or a statement above it, nor another column
 * that is as good. A line without any product, period, units or price is unresolved for that.
 */
function isMissing(field: Column['field'], { cells }: RowCells, line: DocumentLine['read']): boolean {
  switch (field) {
    case 'network':
    case 'spot_length':
    case 'buy_type':
    case 'market_class':
    case 'advertiser_class':
    case 'clearance_tier':
      return line[field] === undefined
    case 'end':
      return cells.has('start') && !cells.has('end') && !cells.has('period')
    default:
      return false
  }
}
