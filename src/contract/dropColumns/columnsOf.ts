import { z } from 'zod'
import { FIELD_GUIDE } from '../fieldGuide.ts'
import { AirTime, IsoMonth, TimeOfDay } from '../scalars.ts'
import { type CellKind, exampleOf } from './exampleOf.ts'

/** How cells of a column are also written: amounts with signs of currencies, percentages, lengths such as :30, days such as M-F, references with
 * commas between them. */
export type CellForm = 'money' | 'fraction' | 'seconds' | 'days' | 'references'

/** A column of a flat file: a member of an entry, by the dotted name that errors of the API use. */
export interface Column {
  /** The dotted name; `{code}` is a placeholder for a member whose name is free. */
  readonly name: string
  readonly kind: CellKind
  readonly form: CellForm | undefined
  /** Whether a cell has several values, separated by `|`. */
  readonly isList: boolean
  /** The list of objects that the member belongs to; each row of the entry adds one object. */
  readonly within: string | undefined
  readonly required: boolean
  readonly description: string
  /** The text of a valid cell. */
  readonly example: string
}

/** Returns the columns for the entries of a schema, in the order of its members. */
export function columnsOf(schema: z.ZodType): Column[] {
  const document = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  return [
    ...walk(document, document.$defs ?? {}, { path: '', required: true, within: undefined, name: '', description: undefined }).values(),
  ]
}

/** The members that the contract refuses by name. */
export const RETIRED_MEMBERS: readonly string[] = ['package', 'package_id', 'packages']

interface JsonSchema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly type?: string
  readonly format?: string
  readonly pattern?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | boolean
  readonly items?: JsonSchema
  readonly enum?: readonly string[]
  readonly const?: string
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
}

interface Place {
  readonly path: string
  readonly name: string
  readonly required: boolean
  readonly within: string | undefined
  readonly description: string | undefined
}

type Defs = Readonly<Record<string, JsonSchema>>

function walk(sent: JsonSchema, defs: Defs, place: Place): Map<string, Column> {
  const schema = resolved(sent, defs)
  const options = schema.anyOf ?? schema.oneOf
  if (options !== undefined) return options.map((option) => walk(option, defs, place)).reduce(merged)
  if (schema.items !== undefined && resolved(schema.items, defs).properties !== undefined)
    return walk(schema.items, defs, { ...place, within: place.path })
  if (schema.properties === undefined) return new Map([[place.path, columnOf(schema, defs, place)]])
  const { required = [], additionalProperties } = schema
  const members = Object.entries(schema.properties).filter(([name]) => !RETIRED_MEMBERS.includes(name))
  const columns = members.flatMap(([name, member]) => [
    ...walk(member, defs, inner(place, name, place.required && required.includes(name), member)),
  ])
  const free = typeof additionalProperties === 'object' ? walk(additionalProperties, defs, inner(place, '{code}', false, {})) : []
  return new Map([...columns, ...free])
}

function inner({ path, within }: Place, name: string, required: boolean, { description }: JsonSchema): Place {
  return { path: path === '' ? name : `${path}.${name}`, name, required, within, description }
}

function resolved(schema: JsonSchema, defs: Defs): JsonSchema {
  return schema.$ref === undefined ? schema : resolved(defs[schema.$ref.split('/').at(-1) as string] as JsonSchema, defs)
}

function columnOf(schema: JsonSchema, defs: Defs, { path, name, required, within, description }: Place): Column {
  const { items } = schema
  const kind = kindOf(items === undefined ? schema : resolved(items, defs))
  const said = description ?? FIELD_GUIDE[path] ?? FIELD_GUIDE[name] ?? ''
  return {
    name: path,
    kind,
    form: formOf(name, valuesOf(items ?? schema, defs)),
    isList: items !== undefined,
    within,
    required,
    description: said,
    example: exampleOf(path, name, kind, valuesOf(items ?? schema, defs)),
  }
}

function valuesOf(schema: JsonSchema, defs: Defs): readonly string[] {
  const { enum: values, const: only } = resolved(schema, defs)
  return values ?? (only === undefined ? [] : [only])
}

const OF_PATTERN: ReadonlyMap<string | undefined, CellKind> = new Map(
  (
    [
      ['time', TimeOfDay],
      ['clock', AirTime],
      ['month', IsoMonth],
    ] as const
  ).map(([kind, schema]) => [(z.toJSONSchema(schema) as JsonSchema).pattern, kind]),
)

function kindOf({ type, format, pattern }: JsonSchema): CellKind {
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'boolean'
  if (type === 'object') return 'json'
  if (format === 'date') return 'date'
  if (format === 'date-time') return 'instant'
  return OF_PATTERN.get(pattern) ?? 'text'
}

const FORMS: ReadonlyMap<string, CellForm> = new Map([
  ...(['gross_rate_unit', 'gross_rate_cpm', 'rate', 'invoice_gross', 'invoice_commission', 'invoice_net'] as const).map(
    (name) => [name, 'money'] as const,
  ),
  ['sellout_level', 'fraction'],
  ['spot_length', 'seconds'],
  ['spot_lengths', 'seconds'],
  ['makegood_for', 'references'],
])

function formOf(name: string, values: readonly string[]): CellForm | undefined {
  return values.includes('Mon') ? 'days' : FORMS.get(name)
}

/** Merges the columns of a union. A column of only some alternatives is optional; one that may be a date, a week or a month is a period. */
function merged(a: Map<string, Column>, b: Map<string, Column>): Map<string, Column> {
  const names = [...new Set([...a.keys(), ...b.keys()])]
  return new Map(
    names.map((name) => {
      const [first, second] = [a.get(name), b.get(name)]
      const column = (first ?? second) as Column
      const kind = first !== undefined && second !== undefined && first.kind !== second.kind ? 'period' : column.kind
      return [name, { ...column, kind, required: first?.required === true && second?.required === true }]
    }),
  )
}
