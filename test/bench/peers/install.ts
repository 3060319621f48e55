import { createHash } from 'node:crypto'
import { copyFile, mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { binaryCache } from '../../../src/local/embedded/binaryCache.ts'
import { reasonOf, runCommand } from './command.ts'
import { NotHereError, type Say } from './peer.ts'

/** A peer of the npm registry: its folder beside this file holds its package.json, its lockfile and what runs it. */
export interface NpmPeer {
  folder: string
  /** Whose version is that of the peer. */
  main: string
  /** What runs it, from its folder or from `app/`. */
  files: readonly string[]
}

const HERE = fileURLToPath(new URL('.', import.meta.url))

/** No peer writes to anyone about being measured. */
export const QUIET = { SCARF_ANALYTICS: 'false', DO_NOT_TRACK: '1', MEDUSA_DISABLE_TELEMETRY: 'true', RESTATE_DISABLE_TELEMETRY: 'true' }

/** Installs what its lockfile says into the user's cache, unless it is there, and returns its version. */
export async function install(peer: NpmPeer, say: Say): Promise<string> {
  const home = await homeOf(peer)
  if (!(await stat(home).catch(() => undefined))) await fetchInto(peer, home, say)
  for (const file of peer.files) await copyFile(await sourceOf(peer, file), join(home, file))
  const text = await readFile(join(home, 'node_modules', peer.main, 'package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/** The folder in the user's cache where it is installed; another lockfile has another folder. */
export async function homeOf({ folder }: NpmPeer): Promise<string> {
  const lock = await readFile(join(HERE, folder, 'package-lock.json'))
  const key = createHash('sha256').update(lock).digest('hex').slice(0, 12)
  return join(await binaryCache(undefined), 'peers', `${folder}-${process.platform}-${process.arch}-${key}`)
}

/** Under another name until it is whole: an install that is cut short is not taken for one. */
async function fetchInto({ folder }: NpmPeer, home: string, say: Say): Promise<void> {
  const part = `${home}.part`
  await rm(part, { recursive: true, force: true })
  await mkdir(part, { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) await copyFile(join(HERE, folder, file), join(part, file))
  say(`  fetching ${folder} from the npm registry ...`)
  try {
    const env = { ...process.env, ...QUIET }
    // `npm ci` refuses a lockfile that lacks optional packages of other platforms; what it has is taken as it is all the same.
    await runCommand('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: part, env })
  } catch (error) {
    throw new NotHereError(`npm install failed: ${reasonOf(error)}`)
  }
  await rename(part, home)
}

async function sourceOf({ folder }: NpmPeer, file: string): Promise<string> {
  const own = join(HERE, folder, file)
  return (await stat(own).catch(() => undefined)) ? own : join(HERE, 'app', file)
}
