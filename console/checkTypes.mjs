import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { closedDocument } from './closedSchema.mjs'

/** Checks the types of the console, if what that takes is installed; it is not part of the install of the service. */
const folder = fileURLToPath(new URL('.', import.meta.url))
const schema = `${folder}node_modules/openapi-typescript/bin/cli.js`
/** The compiler of the service, which is three times as fast as the one that `openapi-typescript` needs. */
const tsc = `${folder}../node_modules/typescript/bin/tsc`
if (existsSync(schema)) {
  run(schema, closedDocument(), '-o', 'src/api/schema.d.ts')
  run(tsc, '--incremental', '--tsBuildInfoFile', '../.compiled/console.tsbuildinfo')
} else {
  process.stdout.write('The types of the console are not checked: npm ci --prefix console installs what it takes.\n')
}

function run(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  if (status === 0) return
  process.stderr.write(`${stdout}${stderr}`)
  process.exit(1)
}
