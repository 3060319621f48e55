import { access, constants, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder } from './makeFolder.ts'
import { processIdentity } from './processIdentity.ts'
import { StartFault } from './startFault.ts'

/** Made on the first start, for its owner alone: it holds passwords and tokens. */
export async function openDataDir(dataDir: string): Promise<string> {
  try {
    await makeFolder(dataDir, 0o700)
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return await realpath(dataDir)
  } catch (error) {
    throw new StartFault(
      `DATA_DIR ${dataDir} cannot be used (${(error as NodeJS.ErrnoException).code}); choose a directory that you may write.`,
    )
  }
}

export type DataDirLock = { release(): Promise<void> }

/**
 * One supervisor per data directory. Each puts up a file that names its own incarnation and then looks for others: of two that
 * come at once at least the later one sees the earlier. Nobody ever removes the file of a process that lives, so a stale
 * lock needs no takeover and a reused pid fools nobody.
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  const folder = join(dataDir, 'lock')
  await makeFolder(folder, 0o700)
  const mine = `${process.pid}@${await processIdentity(process.pid)}`
  for (let attempt = 1; ; attempt += 1) {
    await writeFile(join(folder, mine), '', { mode: 0o600 })
    const others = await livingOthers(folder, mine)
    if (others.length === 0) return { release: () => rm(join(folder, mine), { force: true }) }
    await rm(join(folder, mine), { force: true })
    // Two that start in the same instant both step back once; chance lets one of them through.
    if (attempt === 5)
      throw new StartFault(
        `${dataDir} is in use by the marketplace with process id ${others[0]}; stop that one or set DATA_DIR to another directory.`,
      )
    await sleep(50 + Math.random() * 200)
  }
}

async function livingOthers(folder: string, mine: string): Promise<number[]> {
  const living: number[] = []
  for (const name of await readdir(folder)) {
    if (name === mine) continue
    const [pid = '', identity] = name.split('@')
    if ((await processIdentity(Number(pid))) === identity) living.push(Number(pid))
    else await rm(join(folder, name), { force: true })
  }
  return living
}
