import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OPENAPI, packagesIn, run, TYPESCRIPT_TYPES } from './generators.ts'

export const CLIENT = fileURLToPath(new URL('../../client', import.meta.url))

/** A member with a default may be left out of a request. */
export const SCHEMA_FLAGS = ['--default-non-nullable=false']

/** Makes the types of the contract, with the generator that the client's package names. */
export async function makeSchema(file: string): Promise<void> {
  const tools = await packagesIn('typescript', TYPESCRIPT_TYPES)
  await run(process.execPath, [join(tools, 'openapi-typescript/bin/cli.js'), OPENAPI, ...SCHEMA_FLAGS, '--output', file])
}

/** Returns the table of the names of operations, which types alone cannot tell a program. */
export async function makeTable(): Promise<string> {
  const { paths } = JSON.parse(await readFile(OPENAPI, 'utf8')) as { paths: Record<string, Record<string, { operationId?: string }>> }
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId }]) =>
      operationId === undefined ? [] : [`  ${operationId}: ['${method.toUpperCase()}', '${path}'],`],
    ),
  )
  return `// Made from docs/openapi.json by npm run client:typescript.
import type { operations } from './schema.js'

type Row = readonly ['GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', string]

/** The method and the path of each operation. */
export const OPERATIONS = {
${rows.join('\n')}
} as const satisfies Partial<Record<keyof operations, Row>>
`
}
