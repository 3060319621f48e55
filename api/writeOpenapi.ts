import { readFile, writeFile } from 'node:fs/promises'
import { makeOpenapi } from './makeOpenapi.ts'
import { pullOpenapi } from './pullOpenapi.ts'

/** `npm run openapi` writes docs/openapi.json and docs/pull-openapi.json; with `--check` it fails when one is stale. */
const DOCUMENTS = { 'openapi.json': makeOpenapi, 'pull-openapi.json': pullOpenapi }
for (const [name, document] of Object.entries(DOCUMENTS)) {
  const file = new URL(`../docs/${name}`, import.meta.url)
  if (!process.argv.includes('--check')) await writeFile(file, document())
  else if ((await readFile(file, 'utf8').catch(() => '')) !== document()) {
    process.stderr.write(`docs/${name} is stale: run npm run openapi and commit it.\n`)
    process.exitCode = 1
  }
}
