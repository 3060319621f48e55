import { OutputFault } from './exits.ts'

/** A column of a table: its heading, and what a row shows in it. */
export interface TableColumn<Row> {
  readonly head: string
  readonly of: (row: Row) => string | number | boolean | null | undefined
  /** Whether it is aligned right, as numbers are. */
  readonly right?: boolean
}

let written = false

/** Whether a command has written a result, which a failure must not follow as a second document. */
export function hasWritten(): boolean {
  return written
}

/** Writes to standard output, and fails with OutputFault once that is no longer possible. */
export function write(text: string): Promise<void> {
  written ||= text !== ''
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(new OutputFault(error)) : resolve()))
  })
}

/** Writes a line for people to standard error, whatever becomes of it. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

export async function writeJson(value: unknown): Promise<void> {
  await write(`${JSON.stringify(value, null, 2)}\n`)
}

/** Writes a table for people: columns as wide as their contents, and nothing in place of what is absent. */
export async function writeTable<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) say('There is none.')
  const cells = rows.map((row) => columns.map(({ of }) => cellText(of(row))))
  const widths = columns.map(({ head }, at) => Math.max(head.length, ...cells.map((row) => (row[at] ?? '').length)))
  const line = (row: readonly string[]) =>
    columns
      .map(({ right }, at) => (right ? (row[at] ?? '').padStart(widths[at] ?? 0) : (row[at] ?? '').padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd()
  await write([columns.map(({ head }) => head), ...cells].map((row) => `${line(row)}\n`).join(''))
}

/** Writes names and values below each other, and leaves out what is absent. */
export async function writeFields(fields: readonly (readonly [string, unknown])[]): Promise<void> {
  const given = fields.filter(([, value]) => value !== undefined && value !== null && value !== '')
  const width = Math.max(0, ...given.map(([name]) => name.length))
  await write(given.map(([name, value]) => `${name.padEnd(width)}  ${cellText(value)}\n`).join(''))
}

/** A control character of a sender would reach the terminal. */
function cellText(value: unknown): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be written
  return String(value ?? '').replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
}
