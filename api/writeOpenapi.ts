import { readFile, writeFile } from 'node:fs/promises'
import { openapi } from './openapi.ts'

/** `npm run openapi` writes docs/openapi.json; with `--check` it fails when the file is stale. */
const file = new URL('../docs/openapi.json', import.meta.url)
if (!process.argv.includes('--check')) await writeFile(file, openapi())
else if ((await readFile(file, 'utf8').catch(() => '')) !== openapi()) {
  process.stderr.write('docs/openapi.json is stale: run npm run openapi and commit it.\n')
  process.exit(1)
}
