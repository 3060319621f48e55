import { ERRORS } from '../../src/contract/vocabulary/codes.ts'
import { DROP_FILE_TYPES, DROP_STATUSES } from '../../src/contract/vocabulary/drops.ts'
import { EDI_STATUSES } from '../../src/contract/vocabulary/edi.ts'
import { VARIANCE_CODES, VARIANCE_STATES } from '../../src/contract/vocabulary/reconciliation.ts'
import { INVOICE_KINDS, INVOICE_STATUSES } from '../../src/contract/vocabulary/settlement.ts'
import {
  APPROVALS,
  AVAIL_BASES,
  AVAIL_STATES,
  AVAILS_POLICIES,
  BAND_VERDICTS,
  BUY_TYPES,
  EVENT_TYPES,
  GRAINS,
  HOLD_STATUSES,
  LINE_STATUSES,
  MARKET_CLASSES,
  ORDER_ACTIONS,
  ORDER_STATUSES,
  PARTIES,
  PRICING_POLICIES,
  PRODUCT_STATUSES,
  PUBLISH_RESULTS,
  RATE_BASES,
  REPORTING_DAYPARTS,
  SETTLEMENT_MODES,
  SUBSTATUSES,
  UPLOAD_FORMATS,
  VISIBILITIES,
  WEEKDAYS,
  WORKFLOWS,
} from '../../src/contract/vocabulary.ts'

/** A schema, or any part of an OpenAPI document that contains schemas. */
export type Node = { readonly [member: string]: unknown }

/** The vocabularies that several schemas share, by the names of their components. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  ApprovalGate: APPROVALS,
  AvailBasis: AVAIL_BASES,
  AvailState: AVAIL_STATES,
  AvailsPolicy: AVAILS_POLICIES,
  BandVerdict: BAND_VERDICTS,
  BuyType: BUY_TYPES,
  DropFileType: DROP_FILE_TYPES,
  DropStatus: DROP_STATUSES,
  EdiMailStatus: EDI_STATUSES,
  ErrorCode: Object.keys(ERRORS),
  EventType: EVENT_TYPES,
  Grain: GRAINS,
  HoldStatus: HOLD_STATUSES,
  InvoiceKind: INVOICE_KINDS,
  InvoiceStatus: INVOICE_STATUSES,
  LineStatus: LINE_STATUSES,
  MarketClass: MARKET_CLASSES,
  OrderAction: ORDER_ACTIONS,
  OrderStatus: ORDER_STATUSES,
  Party: PARTIES,
  PricingPolicy: PRICING_POLICIES,
  ProductStatus: PRODUCT_STATUSES,
  PublishResult: PUBLISH_RESULTS,
  RateBasis: RATE_BASES,
  ReportingDaypart: REPORTING_DAYPARTS,
  SettlementMode: SETTLEMENT_MODES,
  Substatus: SUBSTATUSES,
  UploadFormat: UPLOAD_FORMATS,
  VarianceCode: VARIANCE_CODES,
  VarianceState: VARIANCE_STATES,
  Visibility: VISIBILITIES,
  Weekday: WEEKDAYS,
  Workflow: WORKFLOWS,
}
const NAMES = new Map(Object.entries(WORDS).map(([name, words]) => [words.join(), name]))

/** The suffix of a schema in replies that differs from the one in requests. */
const OUTPUT = 'Output'

/**
 * Returns the document with every enum and every object that stands inside another schema as a component of its own, named after where it
 * stands (`OrderSnapshotRevision`), since generators number what has no name (choices, OpenAPI: names).
 */
export function withNamedParts<Document extends { components?: object; paths?: object }>(document: Document): Document {
  const { schemas = {}, ...others } = (document.components ?? {}) as { schemas?: Readonly<Record<string, Node>> }
  const named: Record<string, Node> = {}
  const put = (name: string, part: Node): Node => {
    const known = named[name] ?? schemas[name]
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(part)) throw new Error(`two parts would be named ${name}`)
    named[name] = part
    return { $ref: `#/components/schemas/${name}` }
  }
  const parts = partsBy(put)
  const components = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, parts.inside(schema, nameOf(name))]))
  const paths = withParameters(document.paths, parts)
  return { ...document, paths, components: { ...others, schemas: { ...components, ...named } } }
}

/** The name of a part: without the suffix of replies, which its own parts put after theirs. */
interface Name {
  readonly base: string
  readonly end: string
}

function nameOf(component: string): Name {
  return component.endsWith(OUTPUT) ? { base: component.slice(0, -OUTPUT.length), end: OUTPUT } : { base: component, end: '' }
}

type Parts = ReturnType<typeof partsBy>

function partsBy(put: (name: string, part: Node) => Node) {
  /** Returns a schema with its parts as references. */
  const inside = (schema: Node, name: Name): Node => {
    const { properties, items, additionalProperties: others, anyOf, oneOf } = schema
    return {
      ...schema,
      ...(properties !== undefined && { properties: inEach(properties as Node, (member, key) => part(member, within(name, pascal(key)))) }),
      ...(items !== undefined && { items: part(items as Node, { ...name, base: singular(name.base) }) }),
      ...(typeof others === 'object' && { additionalProperties: part(others as Node, within(name, 'Value')) }),
      ...(anyOf !== undefined && { anyOf: (anyOf as Node[]).map((option) => part(option, name)) }),
      ...(oneOf !== undefined && { oneOf: (oneOf as Node[]).map((option) => part(option, name)) }),
    }
  }
  /** Returns a reference to a part that has a name, else the part. What is said of the member, and its default, stay with the reference. */
  const part = (schema: Node, name: Name): Node => {
    if (schema.$ref !== undefined) return schema
    const { enum: words, type, ...ofMember } = schema as Node & { enum?: unknown[] }
    if (words !== undefined && words.length > 1) return { ...put(NAMES.get(words.join()) ?? name.base, { type, enum: words }), ...ofMember }
    const { description, ...bare } = schema as Node & { properties?: object }
    if (Object.keys(bare.properties ?? {}).length === 0) return inside(schema, name)
    return { ...put(name.base + name.end, inside(bare, name)), ...(description !== undefined && { description }) }
  }
  return { inside, part }
}

function within({ base, end }: Name, step: string): Name {
  return { base: base + step, end }
}

/** Returns paths whose parameters refer to the shared vocabularies. */
function withParameters(paths: unknown, { part }: Parts): object {
  const schemaOf = (schema: Node): Node => {
    const { items } = schema as { items?: Node & { enum?: unknown[] } }
    if (items?.enum !== undefined && NAMES.has(items.enum.join())) return { ...schema, items: part(items, { base: '', end: '' }) }
    return (schema.enum as unknown[] | undefined) !== undefined && NAMES.has((schema.enum as unknown[]).join())
      ? part(schema, { base: '', end: '' })
      : schema
  }
  return inEach(paths as Node, (byMethod) =>
    inEach(byMethod, (operation) => {
      const { parameters } = operation as { parameters?: { schema: Node }[] }
      return parameters === undefined
        ? operation
        : { ...operation, parameters: parameters.map((one) => ({ ...one, schema: schemaOf(one.schema) })) }
    }),
  )
}

function inEach(node: Node, made: (member: Node, key: string) => unknown): Node {
  return Object.fromEntries(Object.entries(node).map(([key, member]) => [key, made(member as Node, key)]))
}

/** Returns the name of a member in the form of a component's: `rate_basis` as RateBasis. */
function pascal(name: string): string {
  return name
    .split('_')
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join('')
}

/** Returns the name of one entry of a list. */
function singular(name: string): string {
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`
  if (/(ss|us)es$/.test(name)) return name.slice(0, -2)
  return name.endsWith('s') ? name.slice(0, -1) : `${name}Item`
}
