import { z } from 'zod'
import { pathIn } from './dropColumns/pathIn.ts'
import { DROP_FILE_SHAPES } from './dropColumns.ts'
import { listQuery } from './listQuery.ts'
import { EVEN_SO, listOf, mapOf, NextCursor, OneLine, Stamp } from './scalars.ts'
import { AIRING_CLOCKS, DROP_FILE_TYPES, type DropFileType } from './vocabulary/drops.ts'
import {
  CELL_PARTS,
  DATE_ORDERS,
  DECIMAL_MARKS,
  FIRST_ROWS,
  headingKey,
  MAPPED_COLUMNS,
  MAPPED_HEADERS,
  MAPPED_VALUES,
  MAPPING_CHARACTERS,
  MAPPINGS_PER_SELLER,
  SKIP_RULES,
  SKIPPED_VALUES,
} from './vocabulary/mappings.ts'

/** A heading of a file. It may have line feeds, as those of wrapped cells do. */
const Heading = z.string().min(1).max(500)
const CellText = OneLine.max(500)

/** A rule by which rows are left out. */
const SkipRule = z
  .object({
    column: Heading.describe('A heading of the file.'),
    in: listOf(CellText, SKIPPED_VALUES)
      .min(1)
      .describe('Texts of cells: a row that has one of them in the column is left out. An empty text is an empty cell.'),
  })
  .meta({ id: 'SkipRule' })

const shape = {
  type: z.enum(DROP_FILE_TYPES).describe('The type of the files.'),
  headers: listOf(Heading, MAPPED_HEADERS)
    .min(1)
    .describe(
      `All headings of the files; their order, case and spaces do not matter. A file that has exactly these in one of its first ${FIRST_ROWS + 1} rows is read by the mapping.`,
    ),
  columns: mapOf(Heading, MAPPED_COLUMNS).describe('Our columns, each with the heading of the file that holds it.'),
  constants: mapOf(CellText.min(1), MAPPED_COLUMNS)
    .optional()
    .describe('Our columns that the files lack, each with the text of its cell in every row.'),
  values: mapOf(mapOf(CellText, MAPPED_VALUES), MAPPED_COLUMNS)
    .optional()
    .describe(
      'Our columns, each with the words of the files and the text that we have for it. Case does not matter; an empty word is an empty cell, and * every other text.',
    ),
  parts: mapOf(z.enum(CELL_PARTS), MAPPED_COLUMNS)
    .optional()
    .describe(
      'Our columns whose cells say more than the value, each with the part that is it: in_brackets, the last text in round brackets; before_colon and after_colon, what is beside the first colon; first_word; last_word. A cell without that part is taken whole. values are of the part.',
    ),
  skip: listOf(SkipRule, SKIP_RULES).optional().describe('The rows that are left out.'),
  date_order: z
    .enum(DATE_ORDERS)
    .optional()
    .describe(
      'mdy: 6/3/2030 has the month first; dmy: the day. Without it such dates are read only where those of the whole column allow one order.',
    ),
  clock: z.enum(AIRING_CLOCKS).optional().describe('The clock of air_time in every row of delivery_posts.'),
  decimal: z
    .enum(DECIMAL_MARKS)
    .optional()
    .describe('point: 1,250.00; comma: 1.250,00. Without it such numbers are read only where those of the whole column allow one reading.'),
}

const MappingShape = z.object(shape)
type MappingShape = z.infer<typeof MappingShape>

/** PUT /me/files/mappings/{name}: how the columns of a seller's own files are read. */
export const PutMapping = MappingShape.superRefine(
  (mapping, ctx) => checkMapping(mapping, (path, message) => ctx.addIssue({ code: 'custom', path, message })),
  EVEN_SO,
).meta({ id: 'PutMapping', description: `At most ${MAPPING_CHARACTERS} characters as JSON. A seller has at most ${MAPPINGS_PER_SELLER}.` })
export type PutMapping = z.infer<typeof PutMapping>

/** A mapping as it is kept. `version` identifies its content. */
export const Mapping = z.object({ name: z.string(), version: z.string(), updated_at: Stamp, ...shape }).meta({ id: 'Mapping' })
export type Mapping = z.infer<typeof Mapping>

/** GET /me/files/mappings: by name. */
export const MappingList = z.object({ items: z.array(Mapping), next_cursor: NextCursor }).meta({ id: 'MappingList' })
export const MappingListQuery = z.strictObject(listQuery({ usual: 50, max: MAPPINGS_PER_SELLER }))
export type MappingListQuery = z.infer<typeof MappingListQuery>

type Refuse = (path: (string | number)[], message: string) => void

/** Checks the members of a mapping against each other, as far as each has its form. */
function checkMapping(mapping: MappingShape, refuse: Refuse): void {
  if (JSON.stringify(mapping).length > MAPPING_CHARACTERS) refuse([], `must have at most ${MAPPING_CHARACTERS} characters as JSON`)
  if (!(DROP_FILE_TYPES as readonly unknown[]).includes(mapping.type)) return
  checkOurs(mapping, refuse)
  checkTheirs(mapping, refuse)
}

/** Checks that our columns are those of the type, that each is read once, and that all required ones are. */
function checkOurs({ type, columns, constants, values, parts, clock }: MappingShape, refuse: Refuse): void {
  const read = new Map<string, string>()
  for (const [member, names] of [
    ['columns', membersOf(columns)],
    ['constants', membersOf(constants)],
  ] as const) {
    for (const name of names) {
      const path = pathOf(type, name)
      const earlier = path === undefined ? undefined : read.get(path)
      if (path === undefined) refuse([member, name], `must be named after a column of ${type} files`)
      else if (earlier !== undefined) refuse([member, name], `must not be read twice; ${earlier} has it too`)
      else read.set(path, `${member}.${name}`)
    }
  }
  for (const [member, names] of Object.entries({ values: membersOf(values), parts: membersOf(parts) }))
    for (const name of names) if (!membersOf(columns).includes(name)) refuse([member, name], 'must be named after a member of columns')
  if (clock !== undefined && type !== 'delivery_posts') refuse(['clock'], 'must be left out, since only delivery_posts have a clock')
  else if (clock !== undefined && read.has('clock')) refuse(['clock'], `must be left out, since ${read.get('clock')} has it too`)
  for (const { name, required } of DROP_FILE_SHAPES[type].entry)
    if (required && !read.has(name)) refuse(['columns', name], 'must be there, or a member of constants, since every row has it')
}

/** Checks that the columns of the file that are read are among its headings, once. */
function checkTheirs({ headers, columns, skip }: MappingShape, refuse: Refuse): void {
  if (!Array.isArray(headers)) return
  const counts = new Map<string, number>()
  for (const heading of headers) {
    if (typeof heading !== 'string') continue
    counts.set(headingKey(heading), (counts.get(headingKey(heading)) ?? 0) + 1)
  }
  const check = (path: (string | number)[], heading: unknown) => {
    if (typeof heading !== 'string') return
    const count = counts.get(headingKey(heading)) ?? 0
    if (count === 0) refuse(path, 'must be one of headers')
    else if (count > 1) refuse(path, 'must be in headers once, since nothing says which of them is meant')
  }
  for (const name of membersOf(columns)) check(['columns', name], columns[name])
  if (Array.isArray(skip)) for (const [index, rule] of skip.entries()) check(['skip', index, 'column'], rule?.column)
}

function membersOf(map: unknown): string[] {
  return typeof map === 'object' && map !== null && !Array.isArray(map) ? Object.keys(map) : []
}

/** Returns the dotted path of the member that a name means in files of a type; undefined if the type has no such column. */
function pathOf(type: DropFileType, name: string): string | undefined {
  const { entry, head } = DROP_FILE_SHAPES[type]
  for (const column of [...entry, ...head]) {
    const path = pathIn(column, name)
    if (path !== undefined) return path.join('.')
  }
  return undefined
}
