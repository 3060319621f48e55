import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { type BuildFiles, buildFiles, CONSOLE_COMMAND, consoleFolder, isBuilding, textOf } from '../../adapters/files/consoleBuild.ts'

export interface BuildConsole {
  readonly folder?: string
  readonly onProgress: (text: string) => void
  /** Aborting it ends the build and the programs that it runs. */
  readonly signal?: AbortSignal
}

/**
 * Builds the console at a low priority if its sources have changed. Resolves to whether there is a current build afterwards. A failure is
 * reported with the command that repeats it, and never ends the caller. Only one build runs at a time in a folder.
 */
export async function buildConsole({
  folder = consoleFolder,
  onProgress,
  signal = new AbortController().signal,
}: BuildConsole): Promise<boolean> {
  const files = buildFiles(folder)
  const hash = await sourceHash(folder)
  if (textOf(files.stamp) === hash) return true
  if (!(await begin(files))) return false
  try {
    onProgress('Building the console in the background ...')
    if (!(await isInstalled(folder))) await run(npm(['ci', '--omit=dev', '--no-audit', '--no-fund', '--prefer-offline']), folder, signal)
    await run({ command: process.execPath, args: ['node_modules/vite/bin/vite.js', 'build', '--outDir', `dist/${hash}`] }, folder, signal)
    await writeFile(`${files.stamp}.new`, hash)
    await rename(`${files.stamp}.new`, files.stamp)
    await removeOldBuilds(files, hash)
    onProgress('The console is built.')
    return true
  } catch (error) {
    if (signal.aborted) return false
    const why = (error as Error).message
    await writeFile(files.failed, why)
    onProgress(`The console was not built (${why}). Everything else works; ${CONSOLE_COMMAND} tries it again.`)
    return false
  } finally {
    await rm(files.building, { force: true })
  }
}

/** Returns a hash of everything that a build is made from, including the contract. */
async function sourceHash(folder: string): Promise<string> {
  const names = await readdir(join(folder, 'src'), { recursive: true, withFileTypes: true })
  const sources = names
    .filter((entry) => entry.isFile() && entry.name !== 'schema.d.ts')
    .map(({ parentPath, name }) => join(parentPath, name))
  const others = ['package-lock.json', 'vite.config.ts', 'index.html', '../docs/openapi.json'].map((name) => join(folder, name))
  const hash = createHash('sha256')
  for (const file of [...sources.sort(), ...others]) {
    if (existsSync(file)) hash.update(`${file.slice(folder.length)}\n`).update(await readFile(file))
  }
  return hash.digest('hex').slice(0, 16)
}

/** Marks the folder as being built; returns false if another process is building it. */
async function begin(files: BuildFiles): Promise<boolean> {
  await mkdir(files.dist, { recursive: true })
  if (!isBuilding(files)) await rm(files.building, { force: true })
  try {
    await writeFile(files.building, String(process.pid), { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  await rm(files.failed, { force: true })
  return true
}

interface Lock {
  packages: Record<string, { version?: string; dev?: boolean; optional?: boolean }>
}

/** Returns whether the packages for a build are installed as locked. Does not install them, which would remove development packages. */
async function isInstalled(folder: string): Promise<boolean> {
  const lockOf = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8')) as Lock
  try {
    const { packages: wanted } = await lockOf('package-lock.json')
    const { packages: present } = await lockOf('node_modules/.package-lock.json')
    return Object.entries(wanted).every(
      ([path, { version, dev, optional }]) => path === '' || dev || optional || present[path]?.version === version,
    )
  } catch {
    return false
  }
}

function npm(args: string[]): Program {
  return process.platform === 'win32' ? { command: 'npm.cmd', args, shell: true } : { command: 'npm', args }
}

interface Program {
  command: string
  args: string[]
  shell?: boolean
}

/** Runs a program to its end. Fails with the last line that it wrote to its standard error. */
function run({ command, args, shell = false }: Program, cwd: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  return new Promise((done, fail) => {
    const child = spawn(command, args, {
      cwd,
      shell,
      env: ownEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: process.platform !== 'win32',
    })
    lowerPriority(child)
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-4_096)
    })
    const end = () => endGroup(child)
    signal.addEventListener('abort', end, { once: true })
    process.once('exit', end)
    child.once('error', fail)
    child.once('close', (code) => {
      signal.removeEventListener('abort', end)
      process.removeListener('exit', end)
      if (code === 0) return done()
      fail(new Error(errors.trim().split('\n').at(-1)?.trim() || `${command} ended with ${code}`))
    })
  })
}

/** Returns the environment without the settings that npm or jest made for the program that started this one. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_OPTIONS$|NODE_ENV$)/.test(name)))
}

function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, 10)
  } catch {
    // The process has ended, or the system does not allow this.
  }
}

function endGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined && process.platform !== 'win32') process.kill(-child.pid, 'SIGTERM')
    else child.kill()
  } catch {
    // The process has already ended.
  }
}

async function removeOldBuilds({ dist }: BuildFiles, current: string): Promise<void> {
  for (const name of await readdir(dist))
    if (name !== current && !name.startsWith('.')) await rm(join(dist, name), { recursive: true, force: true })
}
