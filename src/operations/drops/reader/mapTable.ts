import { type Cell, type Note, shownText, type Table, type TableRow } from '../../../adapters/tables/rowReader/table.ts'
import type { Mapping } from '../../../contract/mapping.ts'
import { ANY_OTHER, type CellPart, headingKey } from '../../../contract/vocabulary/mappings.ts'
import { UnreadDays } from './unreadDays.ts'

/**
 * Returns a table with our columns in place of a seller's own: those that the mapping reads, with its words, and its constants. Rows that it leaves
 * out are counted in a note. The numbers of rows are those of the file.
 */
export function mapTable(table: Table, mapping: Mapping): Table {
  const places = new Map(table.header.map((heading, at) => [headingKey(heading), at] as const))
  const at = (heading: string) => places.get(headingKey(heading)) as number
  const read = Object.entries(mapping.columns).map(([ours, theirs]) => ({
    ours,
    at: at(theirs),
    meaningOf: inPart(mapping.parts?.[ours], meanings(mapping.values?.[ours])),
  }))
  const constants = Object.entries({ ...mapping.constants, ...(mapping.clock !== undefined && { clock: mapping.clock }) })
  const rules = (mapping.skip ?? []).map(({ column, in: texts }) => ({ at: at(column), texts: new Set(texts.map(wordOf)) }))
  const values = constants.map(([, value]) => value)
  let skipped = 0
  const mapped = (rows: readonly TableRow[]): TableRow[] => {
    const kept = rows.filter(({ cells, fault }) => fault !== undefined || !rules.some((rule) => rule.texts.has(wordOf(cells[rule.at]))))
    skipped += rows.length - kept.length
    return kept.map((row) =>
      row.fault === undefined ? { row: row.row, cells: [...read.map((one) => one.meaningOf(row.cells[one.at])), ...values] } : row,
    )
  }
  const days = new UnreadDays(mapping, table.header)
  async function* rows(): AsyncGenerator<readonly TableRow[]> {
    for await (const batch of table.rows) {
      days.read(batch)
      yield mapped(batch)
    }
    if (table.others !== undefined) await days.compare(table.others())
  }
  const used = [...new Set([...read, ...rules].map((one) => one.at))]
  const { headerRow, notes = [], notesAtEnd } = table
  return {
    headerRow,
    header: [...read.map(({ ours }) => ours), ...constants.map(([ours]) => ours)],
    notes,
    notesAtEnd: () => [...(notesAtEnd?.() ?? []), ...skippedNotes(skipped, mapping), ...days.notes()],
    use: () => table.use?.(used),
    rows: rows(),
  }
}

function skippedNotes(skipped: number, { name }: Mapping): Note[] {
  if (skipped === 0) return []
  return [
    { code: 'SKIPPED_ROWS', message: `${skipped === 1 ? '1 row was' : `${skipped} rows were`} left out, as the mapping ${name} says.` },
  ]
}

/** Returns a function that takes a part of a cell's text first; a cell without that part is taken whole. */
function inPart(part: CellPart | undefined, meaningOf: (cell: Cell) => Cell): (cell: Cell) => Cell {
  if (part === undefined) return meaningOf
  return (cell) => meaningOf(partOf(shownText(cell).trim(), part) || cell)
}

function partOf(text: string, part: CellPart): string {
  const colon = text.indexOf(':')
  switch (part) {
    case 'in_brackets': {
      const end = text.lastIndexOf(')')
      const start = text.lastIndexOf('(', end)
      return start < 0 ? '' : text.slice(start + 1, end).trim()
    }
    case 'before_colon':
      return colon < 0 ? '' : text.slice(0, colon).trim()
    case 'after_colon':
      return colon < 0 ? '' : text.slice(colon + 1).trim()
    case 'first_word':
      return text.split(/\s/, 1)[0] ?? ''
    case 'last_word':
      return text.split(/\s/).at(-1) ?? ''
  }
}

/** Returns a function that puts our text in place of the words of a column. */
function meanings(values: Readonly<Record<string, string>> | undefined): (cell: Cell) => Cell {
  if (values === undefined) return (cell) => cell
  const ours = new Map(Object.entries(values).map(([theirs, meaning]) => [wordOf(theirs), meaning]))
  const other = ours.get(ANY_OTHER)
  return (cell) => {
    const word = wordOf(cell)
    return ours.get(word) ?? (word === '' ? cell : (other ?? cell))
  }
}

/** Returns a cell as it is compared with the words of a mapping. */
function wordOf(cell: Cell): string {
  return shownText(cell).trim().toLowerCase()
}
