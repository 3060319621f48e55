import { spawn } from 'node:child_process'
import { open, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../../src/config/root.ts'

/**
 * `npm run test:often -- <times>`: `npm test` so many times in a row, 20 when left out, until one of them fails. A test that fails once in many runs is
 * found by nothing else. Writes a line for each run, and the whole output of one that fails to a file, which it names.
 */
async function main(): Promise<void> {
  const times = Number(process.argv[2] ?? 20)
  if (!Number.isInteger(times) || times < 1) throw new Error('npm run test:often -- <times>: how many runs, a whole number from 1.')
  const file = join(tmpdir(), `suite-${process.pid}.log`)
  for (let run = 1; run <= times; run += 1) {
    const began = performance.now()
    const code = await runSuite(file)
    const minutes = ((performance.now() - began) / 60_000).toFixed(1)
    process.stdout.write(`run ${run} of ${times}: ${await lastLine(file)}, ${minutes} minutes\n`)
    if (code === 0) continue
    process.stdout.write(`its output is in ${file}\n`)
    process.exitCode = 1
    return
  }
}

async function runSuite(file: string): Promise<number | null> {
  const output = await open(file, 'w')
  try {
    const suite = spawn('npm', ['test'], { cwd: ROOT, stdio: ['ignore', output.fd, output.fd] })
    return await new Promise((done, fail) => suite.once('error', fail).once('close', done))
  } finally {
    await output.close()
  }
}

/** The count of tests, `N passed, N failed`. */
async function lastLine(file: string): Promise<string> {
  return (await readFile(file, 'utf8')).trimEnd().split('\n').at(-1) ?? ''
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
