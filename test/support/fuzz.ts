import fc from 'fast-check'
import { takesJson } from '../../src/contract/endpoints/endpoint.ts'
import { ENDPOINTS } from '../../src/contract/endpoints/groups.ts'
import { contract } from './http/contract.ts'

/** A request that somebody might send, with good intentions or bad. */
export interface FuzzedRequest {
  readonly method: string
  readonly url: string
  readonly side: 'buyer' | 'seller'
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
}

/** The ingredients of meaningful requests: names that exist, and bodies that would be accepted. */
export interface FuzzSeeds {
  readonly names: readonly string[]
  /** Names by path parameter. */
  readonly params: Readonly<Record<string, readonly string[]>>
  readonly bodies: Readonly<Record<string, readonly unknown[]>>
}

type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; required?: string[]; items?: Schema }
type Operation = { parameters?: { in: string; name: string }[]; requestBody?: { content: Record<string, { schema: Schema }> } }

/** Generates requests to every endpoint of the table, made from the schemas of the contract and then spoiled in places. */
export function fuzzedRequests(seeds: FuzzSeeds): fc.Arbitrary<FuzzedRequest> {
  return fc.oneof(...ENDPOINTS.map((row) => ({ weight: takesJson(row) ? 2 : 1, arbitrary: requestsTo(row, seeds) })))
}

function requestsTo({ method, path, side }: (typeof ENDPOINTS)[number], seeds: FuzzSeeds): fc.Arbitrary<FuzzedRequest> {
  const operation = contract.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method] as Operation | undefined
  const schema = operation?.requestBody?.content['application/json']?.schema
  const names = (operation?.parameters ?? []).filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  const [, param = ''] = /:(\w+)/.exec(path) ?? []
  const segment = rarely(
    fc.oneof(fc.constantFrom(...seeds.names), text.map(encoded)),
    fc.constantFrom(...(seeds.params[param] ?? seeds.names)),
  )
  const body =
    schema === undefined
      ? rarely(bytesOf(anything), nothing)
      : bytesOf(spoiled(valuesOf(schema, seeds, seeds.bodies[`${method} ${path}`] ?? [])))
  return fc
    .record({ segment, query: queryOf(names, seeds), headers: rarely(headers, fc.constant({})), body, spoiledSide: fc.nat(19) })
    .map((made) => ({
      method: method.toUpperCase(),
      url: path.replace(/:\w+/, made.segment) + made.query,
      side: (side === 'seller') === made.spoiledSide > 0 ? 'seller' : 'buyer',
      headers: { ...(made.body === undefined ? {} : { 'content-type': 'application/json' }), ...made.headers },
      body: made.body,
    }))
}

const nothing = fc.constant(undefined)
const rarely = <T, U>(arbitrary: fc.Arbitrary<T>, usual: fc.Arbitrary<U>): fc.Arbitrary<T | U> =>
  fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: arbitrary as fc.Arbitrary<T | U> })

const EVIL = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '__proto__',
  'constructor',
  '*',
  "';drop table orders;--",
  '<script>',
  '../../etc/passwd',
  '%',
  '\u{1F600}\u202e',
  '2030-02-30',
  '2030-W53',
  '1e3',
  '-1',
  'null',
  'x'.repeat(3_000),
]
const text = fc.oneof(fc.constantFrom(...EVIL), fc.string({ unit: 'binary', maxLength: 20 }))
const NUMBERS = [0, -1, 1, 0.1, 1e-7, 1.005, 2 ** 31, 999_999_999_999_999, 1e15 + 0.5, 2 ** 53, 1e308, -1e308]
const anything: fc.Arbitrary<unknown> = fc.oneof(
  text,
  fc.constantFrom<unknown>(...NUMBERS, null, true, false, {}, [], [[[]]], Array(600).fill(0)),
  fc.dictionary(text, fc.oneof(text, fc.constantFrom<unknown>(1, null, []))),
  fc.jsonValue({ maxDepth: 3 }),
)

/** Encodes a text for a URL; a lone surrogate cannot be encoded, so it is replaced. */
const encoded = (value: string) => encodeURIComponent(value.toWellFormed())

const none = fc.constant<[string, string][]>([])
function queryOf(names: readonly string[], { names: known }: FuzzSeeds): fc.Arbitrary<string> {
  const value = fc
    .oneof(fc.constantFrom(...known, '1', '2', 'placed', 'submitted,placed', 'true', '2030-W23', '2030-W22..2030-W24'), text)
    .map(encoded)
  const name =
    names.length === 0
      ? text.map(encoded)
      : fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: text.map(encoded) })
  const some = fc.array(fc.tuple(name, value), { minLength: 1, maxLength: 3 })
  const pairs = names.length === 0 ? rarely(some, none) : fc.oneof(some, none)
  return fc.tuple(pairs, rarely(fc.constantFrom('&', '=', '%', '%ff', '?', 'a[]=1', '&&=&'), fc.constant(''))).map(([sent, tail]) => {
    const query = sent.map(([key, is]) => `${key}=${is}`).join('&') + tail
    return query === '' ? '' : `?${query}`
  })
}

const headers: fc.Arbitrary<Record<string, string>> = fc.constantFrom<Record<string, string>>(
  { 'content-type': 'text/html' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'application/json;charset=UTF-8' },
  { 'content-encoding': 'gzip' },
  { authorization: 'Bearer omp_test_nonsense' },
  { authorization: 'Basic YTpi' },
  { accept: 'text/html', 'accept-encoding': 'identity' },
  { 'x-request-id': '<b>' },
  { 'x-http-method-override': 'DELETE', origin: 'https://evil.example', cookie: 'a=b' },
  { range: 'bytes=0-1', 'if-none-match': '*', te: 'trailers' },
)

/** Generates values that a schema would mostly accept. Leaves out members that a schema refuses outright (`not: {}`). */
function valuesOf(schema: Schema, seeds: FuzzSeeds, ready: readonly unknown[] = []): fc.Arbitrary<unknown> {
  const made = fromSchema(schema, seeds, 0)
  return ready.length === 0 ? made : fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...ready) }, { weight: 1, arbitrary: made })
}

function fromSchema(schema: Schema, seeds: FuzzSeeds, depth: number): fc.Arbitrary<unknown> {
  const { $ref, enum: words, anyOf, oneOf, type, properties, required = [], items } = schema
  if (typeof $ref === 'string') return fromSchema(contract.components.schemas[$ref.split('/').at(-1) ?? ''] as Schema, seeds, depth + 1)
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(words)) return fc.constantFrom(...words)
  const either = (anyOf ?? oneOf) as Schema[] | undefined
  if (either !== undefined) return fc.oneof(...either.map((one) => fromSchema(one, seeds, depth + 1)))
  if (type === 'object' && properties !== undefined) {
    const open = Object.entries(properties).filter(([, member]) => !('not' in member))
    const members = Object.fromEntries(open.map(([name, member]) => [name, fromSchema(member, seeds, depth + 1)]))
    const wanted = required.filter((name) => name in members)
    return fc.record(members, { requiredKeys: wanted, noNullPrototype: true })
  }
  if (type === 'object') return fc.dictionary(text, anything, { maxKeys: 3 })
  if (type === 'array') return fc.array(items === undefined ? anything : fromSchema(items, seeds, depth + 1), { maxLength: 3 })
  if (type === 'integer' || type === 'number') return fc.oneof(fc.integer({ min: 0, max: 60 }), fc.constantFrom(...NUMBERS))
  if (type === 'boolean') return fc.boolean()
  if (type === 'string') return stringsOf(schema, seeds)
  return anything
}

function stringsOf({ format, pattern }: Schema, { names }: FuzzSeeds): fc.Arbitrary<string> {
  if (format === 'date') return fc.constantFrom('2030-06-03', '2030-06-05', '2030-06-30', '2024-02-29', '0001-01-01', '9999-12-31')
  if (format === 'date-time')
    return fc.constantFrom('2030-06-05T00:00:00Z', '2030-06-05T23:59:59.999999+14:00', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59')
  if (typeof pattern === 'string')
    return fc.constantFrom('2030-W23', '2030-06', '0000-W01', '9999-W52', '9999-12', 'USD', '20:00', '0'.repeat(64))
  return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: text })
}

/** Spoils up to three places of a value: removes, replaces or wraps them, or adds an unknown member. */
function spoiled(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const edit = fc.record({ place: fc.nat(), how: fc.constantFrom('drop', 'replace', 'replace', 'wrap', 'add'), key: text, junk: anything })
  const edits = fc.oneof(fc.constant([]), fc.array(edit, { minLength: 1, maxLength: 3 }))
  return fc.tuple(value, edits).map(([whole, chosen]) =>
    chosen.reduce<unknown>((current, { place, how, key, junk }) => {
      const copy = structuredClone({ whole: current }) as Record<string, unknown>
      const places = placesIn(copy)
      const [holder, name] = places[place % places.length] ?? [copy, 'whole']
      const target = holder as Record<string, unknown>
      if (how === 'drop' && !Array.isArray(holder)) delete target[name]
      else if (how === 'wrap') target[name] = [target[name]]
      else if (how === 'add' && isHolder(target[name]))
        Object.defineProperty(target[name], key, { value: junk, enumerable: true, configurable: true, writable: true })
      else target[name] = junk
      return copy.whole
    }, whole),
  )
}

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null
function placesIn(holder: object): [object, string][] {
  return Object.entries(holder).flatMap(([name, value]): [object, string][] => [
    [holder, name],
    ...(isHolder(value) ? placesIn(value) : []),
  ])
}

/** Encodes JSON as bytes that are sometimes damaged. */
function bytesOf(value: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> {
  const damage = fc.record({ at: fc.nat(), how: fc.constantFrom('cut', 'insert', 'double', 'mark'), byte: fc.nat(255) })
  return fc.tuple(value, rarely(damage, nothing)).map(([sent, harm]) => {
    const bytes = Buffer.from(String(JSON.stringify(sent)))
    if (harm === undefined) return bytes
    const at = bytes.length === 0 ? 0 : harm.at % bytes.length
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
    if (harm.how === 'cut') return before
    if (harm.how === 'insert') return Buffer.concat([before, Buffer.from([harm.byte]), after])
    return harm.how === 'double' ? Buffer.concat([bytes, bytes]) : Buffer.concat([Buffer.from('\ufeff'), bytes])
  })
}
