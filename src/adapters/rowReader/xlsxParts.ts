import type { Calculation } from './sheetFormulas.ts'

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

/** Returns what the workbook says about its formulas. `hasPart` tells whether a part is there. */
export function calculationOf(partOf: (name: string) => string, hasPart: (name: string) => boolean): Calculation {
  return {
    isAsked: tagsOf(partOf('xl/workbook.xml'), 'calcPr').some((attributes) => IS_ASKED.test(attributes)),
    // Excel lists the order in which it calculated. LibreOffice saves workbooks of others without having calculated them.
    isDone: hasPart('xl/calcChain.xml'),
  }
}

const IS_ASKED = /\sfullCalcOnLoad=["'](1|true)["']/

/** Returns the attributes of each element of this name, whatever its prefix. */
function tagsOf(xml: string, name: string): string[] {
  return xml.split('<').flatMap((tag) => {
    const space = tag.search(/\s/)
    if (space === -1 || tag.slice(0, space).split(':').at(-1) !== name) return []
    return [tag.slice(space).split('>', 1)[0] as string]
  })
}
