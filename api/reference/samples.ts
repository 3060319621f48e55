import { exampleOf, type Operation, type Parameter } from './described.ts'

/** A call of an operation in each language, as a reader would write it: with the example of its body, and what it must have. */
export interface Samples {
  readonly curl: string
  readonly typescript: string
  readonly python: string
}

export function samplesOf(operation: Operation): Samples {
  return { curl: curlOf(operation), typescript: typescriptOf(operation), python: pythonOf(operation) }
}

/** Returns the body of the sample: JSON, a file that is sent as it is, or none. */
function bodyOf({ requestBody }: Operation): { json: unknown } | { file: string } | undefined {
  if (requestBody === undefined) return undefined
  const example = exampleOf(requestBody.content)
  const type = example?.type ?? Object.keys(requestBody.content)[0] ?? 'application/json'
  return type === 'application/json' ? { json: example?.value ?? {} } : { file: 'file.csv' }
}

function given({ parameters = [] }: Operation, where: Parameter['in']): Parameter[] {
  return parameters.filter((parameter) => parameter.in === where && (where === 'path' || parameter.required === true))
}

function curlOf(operation: Operation): string {
  const { method, path } = operation
  const body = bodyOf(operation)
  const query = given(operation, 'query').map(({ name }) => `${name}=$${variable(name)}`)
  const url = `$BASE${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${variable(name)}`)}${query.length > 0 ? `?${query.join('&')}` : ''}`
  const verb = method === 'GET' ? [] : [`-X ${method}`]
  const sent =
    body === undefined
      ? []
      : 'file' in body
        ? ["-H 'Content-Type: application/octet-stream'", `--data-binary @${body.file}`]
        : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body.json, null, 2).replaceAll("'", "'\\''")}'`]
  return ['curl -sS', ...verb, `"${url}"`, '-H "Authorization: Bearer $TOKEN"', ...sent].join(' \\\n  ')
}

function variable(name: string): string {
  return name.toUpperCase()
}

function typescriptOf(operation: Operation): string {
  const { method, path } = operation
  const body = bodyOf(operation)
  const parts = (['path', 'query'] as const).flatMap((where) => {
    const names = given(operation, where).map(({ name }) => name)
    return names.length === 0 ? [] : [`${where}: { ${names.join(', ')} }`]
  })
  const options = [
    ...(parts.length === 0 ? [] : [`params: { ${parts.join(', ')} }`]),
    ...(body === undefined
      ? []
      : 'file' in body
        ? ['body: content', 'bodySerializer: (bytes) => bytes']
        : [`body: ${indented(body.json)}`]),
  ]
  const second = options.length === 0 ? '' : `, {\n  ${options.join(',\n  ')},\n}`
  return `import { openClient } from '@order-marketplace/client'

const { api } = openClient({ baseUrl, token })
const { data } = await api.${method}('${path}'${second})`
}

function indented(json: unknown): string {
  return JSON.stringify(json, null, 2)
    .replaceAll('\n', '\n  ')
    .replaceAll(/"([A-Za-z_]\w*)":/g, '$1:')
}

function pythonOf(operation: Operation): string {
  const body = bodyOf(operation)
  const args = [
    ...given(operation, 'path').map(({ name }) => name),
    ...(body === undefined ? [] : ['file' in body ? 'content' : pythonLiteral(body.json, '    ')]),
    ...given(operation, 'query').map(({ name }) => `${name}=${name}`),
  ]
  return `from order_marketplace import Marketplace

with Marketplace() as market:
    reply = market.${methodName(operation.operationId)}(${args.join(', ')})`
}

/** Returns the name of an operation's method in the Python client. */
export function methodName(operationId: string): string {
  return operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function pythonLiteral(value: unknown, indent: string): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const deeper = `${indent}    `
  const [open, close, entries] = Array.isArray(value)
    ? ['[', ']', value.map((entry) => pythonLiteral(entry, deeper))]
    : ['{', '}', Object.entries(value).map(([name, entry]) => `${JSON.stringify(name)}: ${pythonLiteral(entry, deeper)}`)]
  return entries.length === 0 ? `${open}${close}` : `${open}\n${deeper}${entries.join(`,\n${deeper}`)},\n${indent}${close}`
}
