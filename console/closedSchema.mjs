import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The OpenAPI document leaves room in replies for values that later versions add. The console is delivered with the API that it calls, so
 * its types have none: it is told by the compiler what it does not show yet.
 */
export function closed(node) {
  if (Array.isArray(node)) return node.map(closed)
  if (typeof node !== 'object' || node === null) return node
  const { anyOf, 'x-extensible-enum': known, 'x-fallback': fallback, ...others } = node
  if (known !== undefined) return closed({ ...anyOf[0], ...others })
  const options = fallback === undefined ? anyOf : anyOf.filter(({ $ref }) => $ref !== fallback)
  return Object.fromEntries(
    Object.entries({ ...others, ...(options !== undefined && { anyOf: options }) }).map(([key, value]) => [key, closed(value)]),
  )
}

/** Writes the closed document to a file of its own, and returns its name, which `node console/closedSchema.mjs` prints. */
export function closedDocument() {
  const source = fileURLToPath(new URL('../docs/openapi.json', import.meta.url))
  const file = join(tmpdir(), `console-openapi-${process.pid}.json`)
  writeFileSync(file, JSON.stringify(closed(JSON.parse(readFileSync(source, 'utf8')))))
  return file
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(closedDocument())
