/**
 * Returns the cells of a table as spreadsheets copy it (tabs) or save it (commas, semicolons), including quoted cells. A number may also
 * contain a comma, so without tabs a line is one cell, unless `isHeader` accepts the first line or the line has many separators.
 */
export function parseTable(text: string, isHeader: (cells: readonly string[]) => boolean): string[][] {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text
  const rows = split(body, separatorOf(body, isHeader))
  while (rows.length > 0 && rows.at(-1)?.every((cell) => cell === '')) rows.pop()
  return rows
}

/** A line with this many separators holds more than one number. */
const MANY = 4

function separatorOf(text: string, isHeader: (cells: readonly string[]) => boolean): string {
  const line = text.slice(0, endOfLine(text))
  if (line.includes('\t')) return '\t'
  for (const separator of [',', ';']) {
    const [cells = []] = split(line, separator)
    if (cells.length > 1 && (cells.length > MANY || isHeader(cells))) return separator
  }
  return '\t'
}

function endOfLine(text: string): number {
  const end = text.indexOf('\n')
  return end < 0 ? text.length : end
}

function split(text: string, separator: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (let at = 0; at <= text.length; ) {
    const quoted = text[at] === '"' ? quotedCell(text, at) : { cell: '', end: at }
    const { cell: plain, end } = plainCell(text, quoted.end, separator)
    const cell = quoted.cell + plain
    row.push(cell)
    if (text[end] === separator) {
      at = end + 1
      continue
    }
    rows.push(row)
    row = []
    at = text.startsWith('\r\n', end) ? end + 2 : end + 1
    if (at >= text.length) break
  }
  return rows
}

function plainCell(text: string, from: number, separator: string): { cell: string; end: number } {
  let end = from
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end += 1
  return { cell: text.slice(from, end).trim(), end }
}

/** Reads a quoted cell, in which a quote is written twice. */
function quotedCell(text: string, from: number): { cell: string; end: number } {
  let cell = ''
  for (let at = from + 1; ; ) {
    const close = text.indexOf('"', at)
    if (close < 0) return { cell: cell + text.slice(at), end: text.length }
    cell += text.slice(at, close)
    if (text[close + 1] !== '"') return { cell, end: close + 1 }
    cell += '"'
    at = close + 2
  }
}

/** Reads the items of a list separated by commas; an item in quotes may contain commas. */
export function itemsOf(text: string): string[] {
  const items: string[] = []
  for (let at = 0; at <= text.length; ) {
    while (text[at] === ' ') at += 1
    const quoted = text[at] === '"' ? quotedCell(text, at) : { cell: '', end: at }
    const { cell: plain, end } = plainCell(text, quoted.end, ',')
    if (quoted.cell + plain !== '') items.push(quoted.cell + plain)
    at = end + 1
  }
  return items
}

/** Writes a list in the form that `itemsOf` reads. */
export function itemsText(items: readonly string[]): string {
  return items.map((item) => (/^["\s]|[,\r\n]|\s$/.test(item) ? `"${item.replaceAll('"', '""')}"` : item)).join(', ')
}

/** Writes rows as a CSV file for spreadsheets. */
export function csvOf(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => row.map((cell) => csvCell(String(cell))).join(',')).join('\r\n') + '\r\n'
}

/** Puts an apostrophe before a cell that looks like a formula, since a spreadsheet would run it. */
function csvCell(cell: string): string {
  const isFormula = '=+-@'.includes(cell[0] ?? ' ') && !Number.isFinite(Number(cell))
  const text = isFormula ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
