import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { binaryCache, keep, lookUp } from '../../../src/local/embedded/binaryCache.ts'
import { fetchByGo } from '../../../src/local/embedded/fetchTemporal.ts'

/** A program that go builds at a given version, for tests that need it. */
export interface GoProgram {
  /** Its name in messages to people. */
  readonly what: string
  /** The beginning of its file name in the cache, before version and platform. */
  readonly name: string
  readonly module: { readonly path: string; readonly version: string }
}

/** Returns the program from the cache, or builds it, which takes minutes. Undefined, with a line on standard error, if that fails. */
export async function findGoProgram({ what, name, module }: GoProgram): Promise<string | undefined> {
  const cache = await binaryCache(undefined)
  const file = `${name}-${module.version}-${process.platform}-${process.arch}`
  const cached = await lookUp(cache, file, undefined, say)
  if (cached !== undefined) return cached
  const folder = await mkdtemp(join(cache, '.part-'))
  try {
    await promisify(execFile)('go', ['version'])
    say(`Building ${what} (go install ${module.path}@${module.version}) ...`)
    return await keep(cache, file, await fetchByGo({ module, folder, signal: undefined }), undefined)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    say(`The tests on ${what} are left out: ${code === 'ENOENT' ? 'Go is not installed here' : message}.`)
    return undefined
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
