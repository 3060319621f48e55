import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

/**
 * Builds the service into `.built/`, where the processes that tests start find it through `BUILD_DIR`: through tsx each of them would cost
 * another second of a core. Does nothing if the sources are those of the last build.
 */
export async function buildPrograms(): Promise<void> {
  const stamp = join(BUILD, 'stamp')
  const sources = await fingerprint()
  if ((await readFile(stamp, 'utf8').catch(() => '')) !== sources) {
    await rm(BUILD, { recursive: true, force: true })
    const node = (...args: string[]) => promisify(execFile)(process.execPath, args, { cwd: ROOT })
    await node(
      'node_modules/typescript/bin/tsc',
      '-p',
      'tsconfig.build.json',
      '--noCheck',
      '--declaration',
      'false',
      '--sourceMap',
      '--outDir',
      BUILD,
    )
    await node(join(BUILD, 'worker/buildBundle.js'))
    await symlink('../docs', join(BUILD, 'docs')) // the contract contains examples from there
    const { makeClosedOpenapi } = (await import(pathToFileURL(join(BUILD, 'tools/docs/makeOpenapi.js')).href)) as {
      makeClosedOpenapi(): string
    }
    await writeFile(builtContract(BUILD), makeClosedOpenapi())
    await writeFile(stamp, sources)
  }
  process.env.BUILD_DIR = BUILD
}

/** Returns the path of the build's OpenAPI document, so that not every test file has to make it. */
export function builtContract(build: string): string {
  return join(build, 'contract.json')
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const BUILD = join(ROOT, '.built')

/** The folders of tsconfig.build.json, and the other files that determine the build. */
const FOLDERS = ['client/src', 'src', 'api', 'workflows', 'activities', 'worker', 'sftp', 'bounces', 'tools', 'docs/examples']
const SETTINGS = ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json']

/** Returns a hash that changes with every file's name, size and modification time. */
async function fingerprint(): Promise<string> {
  const listed = await Promise.all(FOLDERS.map((folder) => readdir(join(ROOT, folder), { recursive: true, withFileTypes: true })))
  const files = listed.flat().filter((entry) => entry.isFile())
  const paths = [...files.map((entry) => join(entry.parentPath, entry.name)).sort(), ...SETTINGS.map((name) => join(ROOT, name))]
  const hash = createHash('sha256')
  for (const [index, { size, mtimeMs }] of (await Promise.all(paths.map((path) => stat(path)))).entries())
    hash.update(`${paths[index]} ${size} ${mtimeMs}\n`)
  return hash.digest('hex')
}
