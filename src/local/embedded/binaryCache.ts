import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, lstat, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { makeFolder } from '../../adapters/files/makeFolder.ts'
import { StartupError } from './startupError.ts'

/** Returns the cache of programs: the user's, which outlives `npm ci` and which checkouts share, or DATA_DIR if no home is writable. */
export async function binaryCache(dataDir: string | undefined): Promise<string> {
  const roots = [userCache(), ...(dataDir === undefined ? [] : [join(dataDir, 'cache')])]
  for (const root of roots) {
    const folder = join(root, 'order-marketplace')
    if (await isOurs(folder)) return folder
  }
  throw new StartupError(`None of ${roots.join(', ')} can be written; set XDG_CACHE_HOME to a directory that can.`)
}

/** Returns the user's cache folder, whose contents can be fetched again. A relative XDG_CACHE_HOME is ignored, as its specification requires. */
export function userCache(): string {
  const set = process.env.XDG_CACHE_HOME ?? ''
  return isAbsolute(set) ? set : join(homedir(), '.cache')
}

/** Returns the cached program if it is present and intact; removes one that differs from what was stored. */
export async function lookUp(
  folder: string,
  name: string,
  pinned: string | undefined,
  onDamage: (text: string) => void,
): Promise<string | undefined> {
  const path = join(folder, name)
  if (!(await lstat(path).catch(() => undefined))) return undefined
  const expected = pinned ?? (await readFile(`${path}.sha256`, 'utf8').catch(() => '')).trim()
  if ((await sha256(path)) === expected) return path
  onDamage(`The cached ${name} is damaged and is fetched again.`)
  await rm(path, { force: true })
  return undefined
}

/** Moves a program into the cache atomically, so that an incomplete one never runs. Concurrent fetchers all succeed. */
export async function keep(folder: string, name: string, fetched: string, pinned: string | undefined): Promise<string> {
  const sum = await sha256(fetched)
  if (pinned !== undefined && sum !== pinned) throw new Error(`its sha256 is ${sum} where ${pinned} was expected`)
  const path = join(folder, name)
  await chmod(fetched, 0o755)
  if (pinned === undefined) await writeFile(`${path}.sha256`, `${sum}\n`)
  await rename(fetched, path)
  return path
}

async function isOurs(folder: string): Promise<boolean> {
  try {
    await makeFolder(folder, 0o700)
    const found = await lstat(folder)
    const uid = process.getuid?.()
    if (uid !== undefined && (found.uid !== uid || (found.mode & 0o022) !== 0)) return false
    const probe = join(folder, `.probe-${process.pid}`)
    await writeFile(probe, '')
    await rm(probe)
    return true
  } catch {
    return false
  }
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash)
  return hash.digest('hex')
}
