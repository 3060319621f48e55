import { writeXlsx } from 'hucre/xlsx'
import { parquetWriteBuffer } from 'hyparquet-writer'
import type { DropFormat } from '../../../src/contract/vocabulary/drops.ts'

/** A row of a flat file: text or numbers by column; an absent one is an empty cell. */
export type FlatRow = Readonly<Record<string, string | number | undefined>>

/** Writes rows as a file with columns, equal in each format: the named ones, and those that the rows use. */
export async function tableOf(
  format: Exclude<DropFormat, 'json'>,
  rows: readonly FlatRow[],
  named: readonly string[] = [],
): Promise<Buffer> {
  const columns = [...new Set([...named, ...rows.flatMap((row) => Object.keys(row))])]
  switch (format) {
    case 'csv':
      return Buffer.from([columns, ...rows.map((row) => columns.map((name) => row[name]))].map(csvLine).join(''))
    case 'xlsx':
      return Buffer.from(
        await writeXlsx({ sheets: [{ name: 'Rows', rows: [columns, ...rows.map((row) => columns.map((name) => row[name] ?? null))] }] }),
      )
    case 'parquet':
      return Buffer.from(parquetWriteBuffer({ columnData: columns.map((name) => columnData(name, rows)) }))
  }
}

function csvLine(cells: readonly (string | number | undefined)[]): string {
  return `${cells.map((cell) => (cell === undefined ? '' : `"${String(cell).replaceAll('"', '""')}"`)).join(',')}\n`
}

/** Returns numbers if all cells of the column are numbers; otherwise texts. */
function columnData(name: string, rows: readonly FlatRow[]) {
  const cells = rows.map((row) => row[name])
  const areNumbers = cells.every((cell) => cell === undefined || typeof cell === 'number') && cells.some((cell) => cell !== undefined)
  return {
    name,
    data: cells.map((cell) => (cell === undefined ? null : areNumbers ? cell : String(cell))),
    type: areNumbers ? ('DOUBLE' as const) : ('STRING' as const),
    nullable: true,
  }
}
