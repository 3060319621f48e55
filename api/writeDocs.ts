import { readFile, writeFile } from 'node:fs/promises'
import { makeConfigurationPage } from './makeConfigurationPage.ts'
import { makeErrorsPage } from './makeErrorsPage.ts'
import { makeOpenapi } from './makeOpenapi.ts'
import { pullOpenapi } from './pullOpenapi.ts'

/** `npm run docs` writes what in docs/ is made from the code; with `--check` it fails when something there is stale. */
const DOCUMENTS = {
  'openapi.json': makeOpenapi,
  'pull-openapi.json': pullOpenapi,
  'configuration.md': makeConfigurationPage,
  'errors.md': makeErrorsPage,
}
for (const [name, document] of Object.entries(DOCUMENTS)) {
  const file = new URL(`../docs/${name}`, import.meta.url)
  if (!process.argv.includes('--check')) await writeFile(file, document())
  else if ((await readFile(file, 'utf8').catch(() => '')) !== document()) {
    process.stderr.write(`docs/${name} is stale: run npm run docs and commit it.\n`)
    process.exitCode = 1
  }
}
