import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { pullOpenapi } from '../../../tools/docs/pullOpenapi.ts'

const document = JSON.parse(pullOpenapi()) as { paths: Record<string, Record<string, { requestBody?: object } | undefined> | undefined> }
const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addSchema(document, 'pull')
const compiled = new Map<string, ValidateFunction>()

/** Returns how a request to a seller's own API violates the document that sellers get; undefined if it does not. */
export function undocumented(method: string, path: string, body: unknown): string | undefined {
  const template = path.replace(/^\/(decisions|holds)\/[^/]+$/, (_, noun) => `/${noun}/{${noun === 'holds' ? 'hold' : 'order'}_id}`)
  const operation = document.paths[template]?.[method.toLowerCase()]
  if (operation === undefined) return `${method} ${path} is not documented`
  if (operation.requestBody === undefined) return body === undefined ? undefined : `${method} ${path} has a body`
  const pointer = `#/paths/${template.replaceAll('/', '~1')}/${method.toLowerCase()}/requestBody/content/application~1json/schema`
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `pull${pointer}` })
  compiled.set(pointer, validate)
  return validate(body) ? undefined : `${method} ${path}: ${ajv.errorsText(validate.errors)}`
}
