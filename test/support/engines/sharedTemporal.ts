import { spawn } from 'node:child_process'
import { open, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Connection } from '@temporalio/client'
import { freePort } from '../../../src/local/embedded/ports.ts'
import { endProcess, processIdentity } from '../../../src/local/embedded/processIdentity.ts'
import { findTemporal } from '../../../src/local/embedded/temporalBinary.ts'
import { until } from '../until.ts'

/** What the folder of a run keeps about a server: a worker of jest may end before it, and another go on with it. */
interface Shared {
  readonly address: string
  readonly pid: number
  readonly identity: string
}

/**
 * Returns the address of the Temporal server of this worker of jest, in the folder of the run. The first file that needs it starts it;
 * `stopSharedTemporals` stops it. Each file has a namespace of its own there.
 */
export async function sharedTemporal(folder: string): Promise<string> {
  const record = join(folder, `${PREFIX}${process.env.JEST_WORKER_ID ?? 1}.json`)
  const known = await read(record)
  if (known !== undefined && (await processIdentity(known.pid)) === known.identity) return known.address
  const started = await start(join(folder, 'temporal.log'))
  await writeFile(record, JSON.stringify(started))
  return started.address
}

export async function stopSharedTemporals(folder: string): Promise<void> {
  const records = (await readdir(folder)).filter((name) => name.startsWith(PREFIX))
  for (const record of records) {
    const { pid, identity } = (await read(join(folder, record))) ?? { pid: 0, identity: '' }
    await endProcess(pid, identity, [{ signal: 'SIGKILL', waitMs: 5_000 }]) // it keeps nothing
  }
}

const PREFIX = 'temporal-'

async function read(record: string): Promise<Shared | undefined> {
  const text = await readFile(record, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : (JSON.parse(text) as Shared)
}

async function start(log: string): Promise<Shared> {
  const { path } = await findTemporal({ onProgress: (text) => process.stderr.write(`${text}\n`) })
  const port = await freePort()
  const address = `127.0.0.1:${port}`
  const file = await open(log, 'a', 0o600)
  const args = ['server', 'start-dev', '--headless', '--ip', '127.0.0.1', '--port', String(port), '--log-level', 'error']
  const child = spawn(path, args, { stdio: ['ignore', file.fd, file.fd], detached: true })
  child.unref()
  await file.close()
  const pid = child.pid ?? 0
  const serves = async () => {
    if (child.exitCode !== null) throw new Error(`The Temporal server ended with exit code ${child.exitCode}; see ${log}.`)
    const connection = await Connection.connect({ address, connectTimeout: 1_000 }).catch(() => undefined)
    if (connection === undefined) return false
    const found = connection.workflowService.describeNamespace({ namespace: 'default' })
    return found
      .then(
        () => true,
        () => false,
      )
      .finally(() => connection.close())
  }
  await until(serves, 60)
  return { address, pid, identity: (await processIdentity(pid)) ?? '' }
}
