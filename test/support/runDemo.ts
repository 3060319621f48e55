import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { processArguments } from '../../src/adapters/processes/ownModule.ts'
import { freePort } from '../../src/local/embedded/ports.ts'
import { temporaryFolder } from './files/temporaryFolder.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a demo to its end, in a new data directory. Returns its output; throws its errors. */
export async function runDemo(script: 'demo' | 'demo:drop'): Promise<string> {
  const folder = await temporaryFolder()
  try {
    const { NODE_OPTIONS: _, ...env } = process.env
    const child = spawn(process.execPath, [...(await commandOf(script)), '--exit'], {
      cwd: ROOT,
      env: { ...env, DATA_DIR: folder.path, PORT: String(await freePort()), CONSOLE_BUILD: 'off' },
    })
    const [output, said, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    if (code !== 0) throw new Error(`npm run ${script} ended with ${code}: ${said}`)
    return output
  } finally {
    await folder.remove()
  }
}

/** Returns the program and the flags of an npm script, so that it can run without npm and from the build. */
async function commandOf(script: string): Promise<string[]> {
  const { scripts } = JSON.parse(await readFile(`${ROOT}package.json`, 'utf8')) as { scripts: Record<string, string> }
  const [, path, flags = ''] = /^exec node --import tsx (src\/cli\/\w+)\.ts(.*)$/.exec(scripts[script] ?? '') ?? []
  if (path === undefined) throw new Error(`the script ${script} does not run a program of src/cli`)
  return [...processArguments({ path: `../../${path}`, from: import.meta.url }), ...flags.split(' ').filter(Boolean)]
}
