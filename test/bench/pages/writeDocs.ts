import '../../../tools/docs/writeDocs.ts'
import { renewPages } from './pages.ts'

/** `npm run docs` writes what in docs/ is made from the code, then the figures of pages and the picture of the peers; with `--check` it fails when something there is stale. */
const check = process.argv.includes('--check')
for (const name of await renewPages({ check })) {
  if (!check) continue
  process.stderr.write(`${name} is stale: run npm run docs and commit it.\n`)
  process.exitCode = 1
}
