import type { Calculation } from './sheetFormulas.ts'

export interface Sheet {
  /** The place among all sheets of the workbook, from 0. */
  readonly index: number
  readonly name: string
  /** The path of its part. */
  readonly path: string
}

/** Returns the visible sheets with cells of a workbook, in its order. `partOf` returns the text of a part. */
export function visibleSheets(partOf: (name: string) => string): Sheet[] {
  const workbook = workbookOf(partOf)
  const relations = tagsOf(partOf(`xl/_rels/${workbook}.rels`), 'Relationship')
  return tagsOf(partOf(`xl/${workbook}`), 'sheet').flatMap((attributes, index) => {
    const id = RELATION_ID.exec(attributes)?.[1]
    const relation = relations.find((one) => ID.exec(one)?.[1] === id) ?? ''
    // The other kinds are sheets of charts and dialogs.
    if (IS_HIDDEN.test(attributes) || !IS_WORKSHEET.test(relation)) return []
    const target = TARGET.exec(relation)?.[1] ?? ''
    const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`
    return [{ index, name: unescaped(NAME.exec(attributes)?.[1] ?? ''), path }]
  })
}

/** Returns the name of the workbook's part, which some programs number. */
function workbookOf(partOf: (name: string) => string): string {
  const relation = tagsOf(partOf('_rels/.rels'), 'Relationship').find((one) => IS_WORKBOOK.test(one)) ?? ''
  return TARGET.exec(relation)?.[1]?.split('/').at(-1) ?? 'workbook.xml'
}

const IS_WORKBOOK = /\/officeDocument["']/
const IS_HIDDEN = /\sstate=["'](?:hidden|veryHidden)["']/
const IS_WORKSHEET = /\/worksheet["']/
const NAME = /\sname=["']([^"']*)["']/

function unescaped(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '')
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const RELATION_ID = /:id=["']([^"']*)["']/
const ID = /\sId=["']([^"']*)["']/
const TARGET = /\sTarget=["']([^"']*)["']/

/** Returns what the workbook says about its formulas. `hasPart` tells whether a part is there. */
export function calculationOf(partOf: (name: string) => string, hasPart: (name: string) => boolean): Calculation {
  return {
    isAsked: tagsOf(partOf(`xl/${workbookOf(partOf)}`), 'calcPr').some((attributes) => IS_ASKED.test(attributes)),
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
