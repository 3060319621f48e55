import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { buildPrograms } from '../support/engines/buildPrograms.ts'
import { instrumented, SWITCHES } from './instrument.ts'
import type { Mutant } from './mutant.ts'
import { mutantsOf } from './mutantsOf.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
export const MUTATED = join(ROOT, '.mutated')

/**
 * Builds the service once with every fault of these files in it, each behind its switch, where BUILD_DIR then leads tests.
 */
export async function mutatedBuild(mutants: ReadonlyMap<string, readonly Mutant[]>): Promise<void> {
  await requireAlone()
  await buildPrograms()
  await rm(MUTATED, { recursive: true, force: true })
  await cp(join(ROOT, '.built'), MUTATED, { recursive: true, filter: (path) => !path.endsWith('/docs') })
  await writeFile(RUNNING, String(process.pid))
  await symlink('../docs', join(MUTATED, 'docs'))
  await writeFile(join(MUTATED, SWITCHES), await readFile(new URL('switches.js', import.meta.url)))
  for (const [file, own] of mutants) {
    const target = join(MUTATED, file.replace(/ts$/, 'js'))
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, instrumented(file, await sourceOf(file), own))
  }
  if ([...mutants.keys()].some((file) => file.startsWith('workflows/')))
    await promisify(execFile)(process.execPath, [join(MUTATED, 'worker/buildBundle.js')], { cwd: ROOT })
  process.env.BUILD_DIR = MUTATED
}

const sourceOf = (file: string) => readFile(join(ROOT, file), 'utf8')

/** Returns the faults of files; their ids begin with 1. */
export async function mutantsOfFiles(files: readonly string[]): Promise<Map<string, Mutant[]>> {
  const mutants = new Map<string, Mutant[]>()
  let id = 1
  for (const file of files) {
    const own = mutantsOf(file, await sourceOf(file), id)
    mutants.set(file, own)
    id += own.length
  }
  return mutants
}

/** Names the run whose build this is. */
const RUNNING = join(MUTATED, 'pid')

/** Another run would replace the build under the tests of this one, which would then notice nothing. */
async function requireAlone(): Promise<void> {
  const pid = Number(await readFile(RUNNING, 'utf8').catch(() => '0'))
  if (pid === 0) return
  try {
    process.kill(pid, 0)
  } catch {
    return
  }
  throw new Error(`The run of the process ${pid} is not over.`)
}
