import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe } from '@jest/globals'
import { freePort } from '../../../src/local/embedded/ports.ts'
import { systemUser } from '../../../src/local/embedded/systemUser.ts'
import { endProcess, endWithUs, hasEnded } from '../childProcesses.ts'
import { type TemporaryFolder, temporaryFolder } from '../files/temporaryFolder.ts'
import { ask } from './ask.ts'
import { useServer } from './testPostgres.ts'

/** The folder into which Debian's package installs it. */
const PROGRAMS = '/usr/lib/postgresql/15/bin'

/**
 * Declares tests of the oldest supported version on a separate server, whatever server the other files use. If that version is missing,
 * standard error says so and the tests are skipped.
 */
export function describeOnPostgres15(file: string, tests: () => void): void {
  const isThere = existsSync(join(PROGRAMS, 'postgres'))
  if (!isThere) process.stderr.write(`${file} is left out: there is no PostgreSQL 15 here (apt-get install postgresql-15, as root).\n`)
  ;(isThere ? describe : describe.skip)('on PostgreSQL 15', () => {
    let folder: TemporaryFolder | undefined
    let server: Server | undefined
    beforeAll(async () => {
      folder = await temporaryFolder()
      server = await startServer(folder.path)
      await useServer(server.url, Number(process.env.JEST_WORKER_ID ?? 1))
    }, 60_000)
    tests()
    afterAll(async () => {
      await server?.stop()
      await folder?.remove()
    })
  })
}

interface Server {
  readonly url: string
  stop(): Promise<void>
}

/** Starts a server. Gives its files to another user if this is root, as which the server refuses to run. */
async function startServer(folder: string): Promise<Server> {
  const runAs = process.getuid?.() === 0 ? await systemUser(folder) : undefined
  if (runAs) await chown(folder, runAs.uid, runAs.gid)
  const data = join(folder, 'data')
  const order = ['--encoding=UTF8', '--locale=C.UTF-8']
  const options = { ...runAs, cwd: folder }
  await promisify(execFile)(join(PROGRAMS, 'initdb'), ['-D', data, '--username=postgres', '--auth=trust', '--no-sync', ...order], options)
  const port = await freePort()
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'timezone=UTC', 'fsync=off', 'autovacuum=off']
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])]
  const child = spawn(join(PROGRAMS, 'postgres'), args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2_000)
  })
  endWithUs(child, () => void child.kill('SIGQUIT'))
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  while (!(await answers(url))) {
    if (hasEnded(child)) throw new Error(`PostgreSQL 15 does not start: ${said}`)
    await sleep(50)
  }
  return { url, stop: async () => void (await endProcess(child, 'SIGINT')) }
}

function answers(url: string): Promise<boolean> {
  return ask(url, 'select').then(
    () => true,
    () => false,
  )
}
