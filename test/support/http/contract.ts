import { readFile } from 'node:fs/promises'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { builtContract } from '../engines/buildPrograms.ts'

/** A reply as it arrived over the wire. */
export interface WireReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
}

interface Operation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, DocumentedReply | { $ref: string }>>
}
interface DocumentedReply {
  readonly content?: Readonly<Record<string, { examples?: Readonly<Record<string, unknown>> } | undefined>>
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation | undefined>>>>

const build = process.env.BUILD_DIR
/** The document as this version replies: what docs/openapi.json leaves room for is a fault of a reply here. */
export const contract = JSON.parse(await (build === undefined ? makeContract() : readFile(builtContract(build), 'utf8'))) as {
  paths: Paths
  components: { schemas: Record<string, object>; responses: Record<string, DocumentedReply> }
}

/** Makes the document. Loads its generator only if it was not made yet, since that takes as long as a test. */
async function makeContract(): Promise<string> {
  return (await import('../../../tools/docs/makeOpenapi.ts')).makeClosedOpenapi()
}

const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addSchema(contract, 'contract')

/**
 * Throws unless the reply is one that the contract documents for this operation: a documented status, a body of its schema (replies are
 * closed: an undocumented member is a fault), the headers that every reply has, and nothing of our insides.
 */
export function checkReply(method: string, url: string, reply: WireReply): void {
  const { status, headers, text } = reply
  const shown = `${method.toUpperCase()} ${url.slice(0, 200)} answered ${status} ${text.slice(0, 2_000)}`
  if (status >= 500 && status !== 503) throw new Error(`a server error: ${shown}`)
  if (status === 204) {
    if (text !== '') throw new Error(`a body where there is none: ${shown}`)
    schemaOf(method, url, status, shown)
    return
  }
  const file = isFile(method, url, reply)
  for (const [header, form] of REPLY_HEADERS) {
    if (header === 'content-type' && file) continue
    if (!form.test(headers[header] ?? '')) throw new Error(`${header} is "${headers[header]}": ${shown}`)
  }
  if (INSIDES.test(text)) throw new Error(`our insides show: ${shown}`)
  if (file) return
  const body = JSON.parse(text)
  const { schema, codes } = schemaOf(method, url, status, shown)
  const faults = faultsAgainst(schema, body)
  if (faults !== undefined) throw new Error(`${faults}: ${shown}`)
  if (codes !== undefined && !codes.includes(body.error_code)) throw new Error(`${body.error_code} is not documented here: ${shown}`)
}

const REPLY_HEADERS: readonly (readonly [string, RegExp])[] = [
  ['content-type', /^application\/json\b/],
  ['x-request-id', /^[\w.:-]{1,128}$/],
  ['cache-control', /\bno-store\b/],
]

/** Matches a stack line, a path or a package of ours, or the words of a driver or a parser. */
const INSIDES =
  /\bat .{1,200}\.[jt]s:\d+|node_modules|node:internal|ECONNREFUSED|\bzod\b|relation "|syntax error at or near|invalid byte sequence/i

/** Returns whether a reply is a file of a content type that its operation documents. */
function isFile(method: string, url: string, { status, headers }: WireReply): boolean {
  const documented = contract.paths[templateOf(url) ?? '']?.[method.toLowerCase()]?.responses[status]
  if (documented === undefined || '$ref' in documented) return false
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  return type !== 'application/json' && documented.content?.[type] !== undefined
}

/** Returns the pointer of the schema that documents this reply, and the error codes that it allows there. */
function schemaOf(method: string, url: string, status: number, shown: string): { schema: string; codes?: string[] } {
  const template = templateOf(url)
  const operation = template === undefined ? undefined : contract.paths[template]?.[method.toLowerCase()]
  if (template === undefined && status !== 404 && status !== 400) throw new Error(`an unknown route: ${shown}`)
  if (template !== undefined && operation === undefined && status !== 405 && status !== 400) throw new Error(`an unknown method: ${shown}`)
  if (template === undefined || operation === undefined) return { schema: ENVELOPE }
  const documented = operation.responses[status]
  if (documented === undefined) throw new Error(`${status} is not documented for ${operation.operationId}: ${shown}`)
  if (!('$ref' in documented)) {
    return { schema: `#/paths/${token(template)}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema` }
  }
  const { content } = contract.components.responses[documented.$ref.split('/').at(-1) as string] as DocumentedReply
  return {
    schema: `${documented.$ref}/content/application~1json/schema`,
    codes: Object.keys(content?.['application/json']?.examples ?? {}),
  }
}

export const ENVELOPE = '#/components/schemas/ErrorEnvelope'

/** Returns the path template of the contract that matches a URL; fixed segments take precedence over parameters. */
export function templateOf(url: string): string | undefined {
  const path = (url.split('?')[0] ?? '').replace(/^\/v1/, '')
  return TEMPLATES.find(({ form }) => form.test(path))?.template
}

/** The templates with fewer parameters come first. */
const TEMPLATES = Object.keys(contract.paths)
  .sort((a, b) => a.split('{').length - b.split('{').length)
  .map((template) => ({ template, form: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))

const compiled = new Map<string, ValidateFunction>()

/** Returns what is wrong with a value under a schema of the contract, named by its pointer; undefined if nothing is. */
export function faultsAgainst(pointer: string, value: unknown): string | undefined {
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `contract${pointer}` })
  compiled.set(pointer, validate)
  return validate(value) ? undefined : ajv.errorsText(validate.errors)
}

/** Returns a path template as a segment of a JSON pointer in a URL. */
export function token(text: string): string {
  return encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'))
}
