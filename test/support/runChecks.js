import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'

/** What is checked without an engine, by the scripts of package.json: the longest first. One list runs in its order. */
const CHECKS = [['types', 'rooms'], ['console:types'], ['lint'], ['unused'], ['docs:check'], ['licenses']]

/**
 * Runs every check, as many at once as there are cores, and shows how long each took and what a failed one has printed.
 * @returns {Promise<boolean>} Whether all of them passed.
 */
export async function runChecks() {
  const left = [...CHECKS]
  let passed = true
  const worker = async () => {
    for (let scripts = left.shift(); scripts !== undefined; scripts = left.shift())
      for (const script of scripts) passed = (await runCheck(script)) && passed
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  return passed
}

async function runCheck(script) {
  const begun = performance.now()
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  const closed = new Promise((done) => child.once('close', done))
  const [code, out, err] = await Promise.all([closed, text(child.stdout), text(child.stderr)])
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  process.stdout.write(`${code === 0 ? '' : `${out}${err}`}${code === 0 ? 'passed' : 'FAILED'} ${script} (${seconds} s)\n`)
  return code === 0
}
