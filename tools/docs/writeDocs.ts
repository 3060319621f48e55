import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { makeCommandLinePage } from '../../src/commandLine/makePage.ts'
import { DROP_FILE_TYPES, DROP_FORMATS } from '../../src/contract/vocabulary/drops.ts'
import { makeConfigurationPage } from './makeConfigurationPage.ts'
import { makeDropColumns } from './makeDropColumns.ts'
import { makeDropTemplate } from './makeDropTemplate.ts'
import { makeErrorsPage } from './makeErrorsPage.ts'
import { makeMetricsPage } from './makeMetricsPage.ts'
import { makeOpenapi } from './makeOpenapi.ts'
import { makeBuyersSandboxPage, makeSellersSandboxPage } from './makeSandboxPages.ts'
import { makeStuckReasonsPage } from './makeStuckReasonsPage.ts'
import { pullOpenapi } from './pullOpenapi.ts'

/** The files in docs/ that `npm run docs` makes from the code; with `--check` it fails if one of them is stale. */
const DOCUMENTS: Record<string, () => string | Promise<string | Uint8Array>> = {
  'openapi.json': makeOpenapi,
  'pull-openapi.json': pullOpenapi,
  'operate/configuration.md': makeConfigurationPage,
  'contract/error-codes.md': makeErrorsPage,
  'operate/metrics.md': makeMetricsPage,
  'operate/stuck-reasons.md': makeStuckReasonsPage,
  'sell/drop-columns.md': makeDropColumns,
  'buy/command-line.md': makeCommandLinePage,
  'buy/sandbox.md': makeBuyersSandboxPage,
  'sell/sandbox.md': makeSellersSandboxPage,
}
for (const type of DROP_FILE_TYPES)
  for (const format of DROP_FORMATS) DOCUMENTS[`templates/${type}.${format}`] = () => makeDropTemplate(type, format)

for (const [name, document] of Object.entries(DOCUMENTS)) {
  const file = new URL(`../../docs/${name}`, import.meta.url)
  const made = Buffer.from(await document())
  if (!process.argv.includes('--check')) {
    await mkdir(new URL('.', file), { recursive: true })
    await writeFile(file, made)
  } else if (!made.equals(await readFile(file).catch(() => Buffer.alloc(0)))) {
    process.stderr.write(`docs/${name} is stale: run npm run docs and commit it.\n`)
    process.exitCode = 1
  }
}
