import { ROWS } from './limits.ts'

/** Finds the formulas of a sheet that have no stored value, from the chunks of its XML. */
export class EmptyFormulas {
  /** The name of such a cell for each row. */
  readonly rows = new Map<number, string>()
  #rest = ''

  take(chunk: Buffer): void {
    // Reads as latin1, since tags and cell names are ASCII.
    const text = this.#rest + chunk.toString('latin1')
    if (this.rows.size < ROWS && HAS_FORMULA.test(text)) {
      for (const cell of text.split('<c ').slice(1)) {
        const end = cell.indexOf('</c>') // without one, the rest is in the next chunk
        const [, column, row] = (end !== -1 && isEmptyFormula(cell.slice(0, end)) && CELL_NAME.exec(cell)) || []
        if (column !== undefined) this.rows.set(Number(row), `${column}${row}`)
      }
    }
    const cell = text.lastIndexOf('<c ')
    this.#rest = cell === -1 ? text.slice(-2) : text.slice(Math.max(cell, text.length - CELL_CHARACTERS))
  }
}

/** The most characters of a cell that spans two chunks. */
const CELL_CHARACTERS = 16_384
const HAS_FORMULA = /<f[ />]/
const CELL_NAME = /^r="([A-Z]{1,3})(\d{1,7})"/
const NO_VALUE = /^<v ?\/>|^<v><\/v>/
const IS_TEXT = /\st=["']str["']/

/** Returns whether a cell, given from its attributes to its end, has a formula and no value. A text formula may have an empty result. */
function isEmptyFormula(cell: string): boolean {
  const open = cell.indexOf('>')
  const content = cell.slice(open + 1)
  if (!HAS_FORMULA.test(content)) return false
  const value = content.lastIndexOf('<v')
  return value === -1 || (NO_VALUE.test(content.slice(value)) && !IS_TEXT.test(cell.slice(0, open)))
}

/** Returns the path of the first sheet's part, and how many sheets the workbook has. `partOf` returns the text of a part. */
export function firstSheet(partOf: (name: string) => string): { path: string; sheets: number } {
  const sheets = tagsOf(partOf('xl/workbook.xml'), 'sheet')
  const id = RELATION_ID.exec(sheets[0] ?? '')?.[1]
  const relations = tagsOf(partOf('xl/_rels/workbook.xml.rels'), 'Relationship')
  const target = TARGET.exec(relations.find((relation) => ID.exec(relation)?.[1] === id) ?? '')?.[1] ?? ''
  return { path: target.startsWith('/') ? target.slice(1) : `xl/${target}`, sheets: sheets.length }
}

const RELATION_ID = /:id=["']([^"']*)["']/
const ID = /\sId=["']([^"']*)["']/
const TARGET = /\sTarget=["']([^"']*)["']/

/** Returns the attributes of each element of this name, whatever its prefix. */
function tagsOf(xml: string, name: string): string[] {
  return xml.split('<').flatMap((tag) => {
    const space = tag.search(/\s/)
    if (space === -1 || tag.slice(0, space).split(':').at(-1) !== name) return []
    return [tag.slice(space).split('>', 1)[0] as string]
  })
}
