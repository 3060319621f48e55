import type { Merge } from '../../../src/adapters/tables/tableReader/grid.ts'
import { gridTable } from '../../../src/adapters/tables/tableReader/grid.ts'
import { gridSheet } from '../../../src/adapters/tables/tableReader/sheets.ts'
import type { Sheet } from '../../../src/domain/document/cells.ts'
import { orderDocument } from '../../../src/domain/document/orderDocument.ts'
import type { ReadDocument } from '../../../src/domain/document/reading.ts'
import { readOrder } from '../../../src/domain/document/readOrder.ts'

/** Returns what sheets say as a document; undefined if they are none. Dates without a year are counted from June 1, 2030. */
export function documentOf(sheets: readonly Sheet[], anchor = '2030-06-01'): ReadDocument | undefined {
  const document = orderDocument(readOrder(sheets, () => anchor))
  return 'unreadable' in document ? undefined : document
}

/** Returns rows of cells as a sheet, whose cells are named like `B7` or, in a named one, `S1!B7`. */
export function sheetOfRows(rows: readonly (readonly string[])[], name = '', merges: readonly Merge[] = []): Sheet {
  return gridSheet(gridTable(rows, name, merges), name === '' ? undefined : name)
}
