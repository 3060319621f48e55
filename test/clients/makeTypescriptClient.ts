import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CLIENT, makeSchema, makeTable } from './typescriptTools.ts'

// `npm run client:typescript`: makes what of the TypeScript client is made from docs/openapi.json.
await writeFile(join(CLIENT, 'src/operationTable.ts'), await makeTable())
await makeSchema(join(CLIENT, 'src/schema.ts'))
