import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Checks the types of the console, if what that takes is installed; it is not part of the install of the service. */
const folder = fileURLToPath(new URL('.', import.meta.url))
const program = (name) => `${folder}node_modules/${name}`
const [schema, tsc] = [program('openapi-typescript/bin/cli.js'), program('typescript/bin/tsc')]
if (existsSync(schema) && existsSync(tsc)) {
  run(schema, '../docs/openapi.json', '-o', 'src/api/schema.d.ts')
  run(tsc, '--noEmit')
} else {
  process.stdout.write('The types of the console are not checked: npm ci --prefix console installs what it takes.\n')
}

function run(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  if (status === 0) return
  process.stderr.write(`${stdout}${stderr}`)
  process.exit(1)
}
