import { writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Mapping } from '../../../contract/mapping.ts'
import { ERRORS_PER_DROP, WARNINGS_PER_DROP } from '../../../contract/vocabulary/drops.ts'
import { storableText } from '../../../domain/strictJson.ts'
import { adviceFor } from './advice.ts'
import type { EntryOutput } from './entryReader.ts'
import type { ChildMessage, Cursor, Head, ReadTask, RowError, RowWarning } from './messages.ts'
import { TextBuffer } from './textBuffer.ts'

/** The most rows of a slice, accepted or not. */
export const SLICE_ROWS = 10_000
/** The bytes after which a slice ends early, since products may be large. */
const SLICE_BYTES = 16 * 1024 * 1024
/** The most slices that exist at a time: the one in use and two ahead. */
const SLICES_HELD = 3
/** The descriptor to which messages are written. */
const MESSAGES = 3

/** Receives rows in the reader's process. Ignores rows that an earlier reader has reported. */
export class Output implements EntryOutput {
  readonly #folder: string
  readonly #after: Cursor
  readonly #awaitRelease: () => void
  #file = 0
  #slices = 0
  /** The number of slices that exist. */
  #held = 0
  readonly #lines = new TextBuffer()
  #accepted = 0
  #rejected = 0
  #errors: RowError[] = []
  #warnings: RowWarning[] = []
  #errorsLeft = ERRORS_PER_DROP
  /** The columns and causes for which advice was given. */
  readonly #advisedOf = new Set<string>()
  #warningsLeft = WARNINGS_PER_DROP

  /** `awaitRelease` blocks until the oldest slice is no longer needed. */
  constructor({ folder, after = { file: 0, row: 0 } }: ReadTask, awaitRelease: () => void) {
    this.#folder = folder
    this.#after = after
    this.#awaitRelease = awaitRelease
  }

  beginFile(file: number): void {
    this.#file = file
    send({ kind: 'fileStart', file })
  }

  mapped({ name, version }: Mapping): void {
    if (this.#file >= this.#after.file) send({ kind: 'mapped', file: this.#file, mapping: name, version })
  }

  head(head: Head): void {
    send(head)
  }

  accept(row: number, line: string, rows = 1): void {
    if (this.#isReported(row)) return
    this.#accepted += rows
    this.#lines.add(line)
  }

  reject(row: number, errors: readonly RowError[], rows = 1, line?: string): void {
    if (this.#isReported(row)) return
    this.#rejected += rows
    if (line !== undefined) this.#lines.add(line)
    const kept = errors.slice(0, this.#errorsLeft).map((error) => storable(this.#advised(error)))
    this.#errorsLeft -= kept.length
    this.#errors.push(...kept)
  }

  /** Adds what to do to the first error of its cause in a column, since a cause usually concerns all rows. */
  #advised(error: RowError): RowError {
    const advice = adviceFor(error)
    if (advice === undefined) return error
    const cause = `${this.#file} ${error.field?.replaceAll(/\d/g, '')} ${advice.cause}`
    if (this.#advisedOf.has(cause)) return error
    this.#advisedOf.add(cause)
    return { ...error, message: `${error.message.replace(/\.$/, '')}: ${advice.what}` }
  }

  warn(warning: RowWarning, knownAt = warning.row): void {
    if (this.#warningsLeft === 0 || this.#isReported(knownAt)) return
    this.#warningsLeft -= 1
    this.#warnings.push(storable(warning))
  }

  get takesWarnings(): boolean {
    return this.#warningsLeft > 0
  }

  get isFull(): boolean {
    return this.#accepted + this.#rejected >= SLICE_ROWS || this.#lines.bytes.length >= SLICE_BYTES
  }

  /** Writes the rows up to this one as a slice. */
  flush(row: number): void {
    if (this.#accepted + this.#rejected + this.#errors.length + this.#warnings.length === 0) return
    for (; this.#held >= SLICES_HELD; this.#held -= 1) this.#awaitRelease()
    this.#held += 1
    const path = join(this.#folder, `slice-${this.#slices}`)
    this.#slices += 1
    const { bytes } = this.#lines
    this.#write(path, bytes)
    send({
      kind: 'slice',
      file: this.#file,
      last_row: row,
      path,
      bytes: bytes.length,
      accepted: this.#accepted,
      rejected: this.#rejected,
      errors: this.#errors,
      warnings: this.#warnings,
    })
    this.#lines.clear()
    this.#accepted = 0
    this.#rejected = 0
    this.#errors = []
    this.#warnings = []
  }

  /** Ends the file after its last row. */
  endFile(rows: number): void {
    if (this.#file >= this.#after.file) send({ kind: 'fileEnd', file: this.#file, rows })
  }

  breakFile(error: RowError): void {
    if (this.#file >= this.#after.file) send({ kind: 'unreadable', file: this.#file, error })
  }

  /** Writes the file of a slice. A failure says nothing about the dropped file, so it ends the process. */
  #write(path: string, bytes: Buffer): void {
    try {
      writeFileSync(path, bytes)
    } catch (error) {
      send({ kind: 'unwritable', code: (error as NodeJS.ErrnoException).code ?? 'unknown' })
      process.exit(1)
    }
  }

  #isReported(row: number): boolean {
    const { file, row: last } = this.#after
    return this.#file < file || (this.#file === file && last > 0 && row <= last)
  }
}

/** The longest text of a fault. Senders choose names of any length, which a fault may repeat, but results must not grow with the input. */
const TEXT_CHARACTERS = 1_000

/** Shortens the texts of a fault and makes them storable in Postgres, since column names may be anything. */
function storable<T extends RowError | RowWarning>(fault: T): T {
  const texts = Object.entries(fault).filter((member): member is [string, string] => typeof member[1] === 'string')
  return {
    ...fault,
    ...Object.fromEntries(texts.map(([name, text]) => [name, shortened(storableText(text))])),
  }
}

/** Returns a shortened copy, since a substring would keep the whole string in memory. */
function shortened(text: string): string {
  return text.length <= TEXT_CHARACTERS ? text : `${Buffer.from(text.slice(0, TEXT_CHARACTERS)).toString()}…`
}

/** Writes a whole message, in several writes if the pipe accepts only a part. */
export function send(message: ChildMessage): void {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`)
  for (let at = 0; at < bytes.length; ) at += writeSync(MESSAGES, bytes, at)
}
