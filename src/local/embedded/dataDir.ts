import { access, constants, readFile, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder } from '../../adapters/files/makeFolder.ts'
import { openIncarnations } from './incarnations.ts'
import { PREDECESSOR_MS } from './predecessors.ts'
import { StartupError } from './startupError.ts'

/** Creates the directory on the first start. Only its owner has access, since it holds passwords and tokens. */
export async function openDataDir(dataDir: string): Promise<string> {
  try {
    await makeFolder(dataDir, 0o700)
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return await realpath(dataDir)
  } catch (error) {
    throw new StartupError(
      `DATA_DIR ${dataDir} cannot be used (${(error as NodeJS.ErrnoException).code}); choose a directory that you may write.`,
    )
  }
}

export type DataDirLock = {
  /** Makes a start that begins now wait for this supervisor's end. */
  ending(): Promise<void>
  release(): Promise<void>
}

/**
 * Allows one supervisor per data directory. Each creates a file that names its own incarnation, then looks for others: of two that
 * start together, at least the later one sees the earlier. The file of a living process is never removed, so a stale lock needs no
 * takeover and a reused pid causes no mistake. Waits for a supervisor that is stopping.
 */
export async function lockDataDir(dataDir: string, onProgress: (text: string) => void = () => undefined): Promise<DataDirLock> {
  const supervisors = await openIncarnations(join(dataDir, 'lock'))
  const began = Date.now()
  let isReported = false
  for (let attempt = 1; ; ) {
    const mine = await supervisors.add(process.pid)
    if (mine === undefined) throw new Error('This process does not find itself.')
    const [other] = (await supervisors.living()).filter(({ pid }) => pid !== process.pid)
    if (other === undefined) return { ending: () => writeFile(mine.note, ENDING), release: () => supervisors.remove(mine) }
    await supervisors.remove(mine)
    if ((await readFile(other.note, 'utf8').catch(() => '')) === ENDING && Date.now() - began < PREDECESSOR_MS) {
      if (!isReported) onProgress(`Waiting for the marketplace with process id ${other.pid} to stop ...`)
      isReported = true
    } else {
      // Two that start in the same instant both step back once; a random delay then lets one of them through.
      if (attempt === 5)
        throw new StartupError(
          `${dataDir} is in use by the marketplace with process id ${other.pid}; stop that one or set DATA_DIR to another directory.`,
        )
      attempt += 1
    }
    await sleep(50 + Math.random() * 200)
  }
}

const ENDING = 'ending'
