import { ROWS } from './limits.ts'
import { RowMarks } from './rowMarks.ts'

/** The rows of a sheet that are hidden, by hand or by a filter, from the parts of its XML. */
export class HiddenRows {
  readonly #marks = new RowMarks()
  #rest = ''

  /** Takes a part of the XML as latin1, since tags, cell names and attributes are ASCII. */
  take(part: string): void {
    const text = this.#rest + part
    if (text.includes(' hidden=')) for (const row of text.split(ROW).slice(1)) this.#takeRow(row)
    const tag = text.lastIndexOf('<')
    this.#rest = text.includes('>', tag) ? '' : text.slice(Math.max(tag, text.length - TAG_CHARACTERS))
  }

  has(row: number): boolean {
    return this.#marks.of(row) > 0
  }

  #takeRow(text: string): void {
    const attributes = text.slice(0, text.indexOf('>'))
    const row = Number(NUMBER.exec(attributes)?.[1] ?? 0)
    if (row <= ROWS + 1 && IS_HIDDEN.test(attributes)) this.#marks.set(row, 1)
  }
}

/** The most characters of a tag that spans two parts. */
const TAG_CHARACTERS = 1_024
const ROW = /<(?:[A-Za-z]\w{0,20}:)?row /
const NUMBER = /\br=["'](\d{1,7})["']/
const IS_HIDDEN = /\bhidden=["'](?:1|true)["']/
