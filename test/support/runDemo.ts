import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../src/embedded/ports.ts'
import { temporaryFolder } from './files/temporaryFolder.ts'

/** Runs a demo to its end as a user does, in a new data directory. Returns its output; throws its errors. */
export async function runDemo(script: 'demo' | 'demo:drop'): Promise<string> {
  const folder = await temporaryFolder()
  try {
    const { NODE_OPTIONS: _, ...env } = process.env
    const child = spawn('npm', ['run', '-s', script, '--', '--exit'], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { ...env, DATA_DIR: folder.path, PORT: String(await freePort()) },
    })
    const [output, said, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    if (code !== 0) throw new Error(`npm run ${script} ended with ${code}: ${said}`)
    return output
  } finally {
    await folder.remove()
  }
}
