import { execFile } from 'node:child_process'
import { readdir, readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { endProcess, pidExists, processIdentity } from './processIdentity.ts'
import { StartupError } from './startupError.ts'

/**
 * Ends a server on this data directory that outlived its supervisor. Call it only while holding the directory's lock.
 * Removes a pid file that now names another program, since Postgres would refuse to start because of it.
 */
export async function stopOrphans(data: string): Promise<void> {
  const pidFile = join(data, 'postmaster.pid')
  const named = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0])
  if (named > 0 && (await worksIn(named, data))) {
    const identity = await processIdentity(named)
    const signals = [
      { signal: 'SIGINT', waitMs: 5_000 }, // fast shutdown
      { signal: 'SIGQUIT', waitMs: 2_000 }, // immediate
      { signal: 'SIGKILL', waitMs: 2_000 },
    ] as const
    if (identity && !(await endProcess(named, identity, [...signals])))
      throw new StartupError(`A PostgreSQL with process id ${named} holds ${data} and cannot be stopped; stop it and start again.`)
  }
  // The child processes of a killed postmaster end on their own, but a new server cannot start until they have.
  for (const pid of await processesIn(data)) {
    const identity = await processIdentity(pid)
    if (identity)
      await endProcess(pid, identity, [
        { signal: 'SIGQUIT', waitMs: 1_000 },
        { signal: 'SIGKILL', waitMs: 2_000 },
      ])
  }
  if (named > 0 && pidExists(named) && !(await worksIn(named, data)) && (await processesIn(data)).length === 0)
    await rm(pidFile, { force: true })
}

async function worksIn(pid: number, data: string): Promise<boolean> {
  if (process.platform === 'linux') return (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === data
  const run = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => undefined)
  const command = run?.stdout ?? ''
  return command.includes('postgres') && command.includes(data)
}

/** Returns the processes whose working directory is the data directory, as it is for a server's processes and unlikely for others. */
async function processesIn(data: string): Promise<number[]> {
  if (process.platform !== 'linux') return []
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(pids.map(async (pid) => ((await isPostgres(pid)) && (await worksIn(pid, data)) ? pid : 0)))
  return found.filter((pid) => pid > 0)
}

async function isPostgres(pid: number): Promise<boolean> {
  return (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim() === 'postgres'
}
