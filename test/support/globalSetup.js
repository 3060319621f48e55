import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('./engines/testRun.ts', import.meta.url))

/**
 * Starts what every test file finds, in a process of its own: jest loads this file itself and translates what it imports as it does for
 * tests. The process ends with this one, however that ends.
 */
export default async function globalSetup({ maxWorkers }, { globals: { engines = true } }) {
  const { NODE_OPTIONS: _, ...env } = process.env
  const run = spawn(process.execPath, ['--import', 'tsx', PROGRAM, engines ? String(maxWorkers) : '0'], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(run, 'exit')
  const ready = once(createInterface(run.stdout), 'line').then(([line]) => JSON.parse(line))
  globalThis.endTestRun = async () => {
    run.stdin.end()
    await ended
  }
  const variables = await Promise.race([ready, ended.then(() => undefined)])
  if (variables === undefined) {
    // Jest creates no reporter when the setup fails, and the run must still end with its line.
    process.on('exit', () => writeSync(1, '0 passed, 1 failed\n'))
    throw new Error('The engines of the tests do not start.')
  }
  Object.assign(process.env, variables) // jest's workers are forked after this and inherit them
}
