import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { processArguments } from '../../src/adapters/processes/ownModule.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export interface Ended {
  code: number | null
  /** The standard output. */
  out: string
  /** The standard error. */
  err: string
}

/**
 * Runs a program of the service (`src/cli/token`) to its end, with only the given settings. Keeps the test's event loop free: if
 * it were blocked, its own servers would let idle connections expire under their clients.
 */
export async function runProgram(path: string, args: readonly string[] = [], settings: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const child = spawnProgram(path, args, settings)
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, out, err }
}

/** Starts a program, for a test that ends it. */
export function spawnProgram(path: string, args: readonly string[], settings: NodeJS.ProcessEnv): ChildProcessWithoutNullStreams {
  const { PATH, HOME } = process.env
  return spawn(process.execPath, [...processArguments({ path: `../../${path}`, from: import.meta.url }), ...args], {
    cwd: ROOT,
    env: { PATH, HOME, ...settings },
  })
}
