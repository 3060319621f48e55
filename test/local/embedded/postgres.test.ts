import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { type Postgres, startPostgres } from '../../../src/local/embedded/postgres.ts'
import { ask } from '../../support/engines/ask.ts'
import { runScript } from '../../support/files/runScript.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/files/temporaryFolder.ts'
import { occupyPort } from '../../support/occupyPort.ts'

let template: TemporaryFolder
let home: TemporaryFolder
let dataDir: string
let running: Postgres[] = []

/** A data directory after its first start: making one takes seconds, a copy does not. */
beforeAll(async () => {
  template = await temporaryFolder()
  await (await startPostgres({ dataDir: join(template.path, 'data') })).stop()
})
afterAll(() => template.remove())

beforeEach(async () => {
  home = await temporaryFolder()
  dataDir = join(home.path, 'data')
})

/** With the owner of each file: the server refuses to run on another user's. */
async function startedBefore(): Promise<void> {
  await promisify(execFile)('cp', ['-a', join(template.path, 'data'), dataDir])
}

afterEach(async () => {
  await Promise.all(running.map((server) => server.stop()))
  running = []
  await home.remove()
})

describe('startPostgres', () => {
  it('serves an empty marketplace database below a home of mode 0700', async () => {
    const server = await start()
    expect((await stat(home.path)).mode & 0o777).toBe(0o700)
    expect(await answerOf(server, 'select current_database() as value')).toBe('marketplace')
    expect(await answerOf(server, "select current_setting('fsync') as value")).toBe('on')
  })

  it('requires the password, which only its owner may read', async () => {
    await startedBefore()
    const server = await start()
    const stranger = new pg.Client({ connectionString: Object.assign(new URL(server.url), { password: 'guess' }).href })
    await expect(stranger.connect()).rejects.toThrow(/password authentication failed/)
    expect((await stat(join(dataDir, 'postgres', 'password'))).mode & 0o777).toBe(0o600)
  })

  it('keeps its data, password and port over a restart', async () => {
    await startedBefore()
    const first = await start()
    await ask(first.url, 'create table kept (value int)')
    await first.stop()
    const second = await start()
    expect(second.url).toBe(first.url)
    expect(await answerOf(second, 'select count(*)::int as value from kept')).toBe(0)
  })

  it('takes another port when its last one is in use by now', async () => {
    await startedBefore()
    const first = await start()
    await first.stop()
    const { release } = await occupyPort(first.port)
    const second = await start()
    expect(second.port).not.toBe(first.port)
    release()
  })

  it('says in one sentence that an asked-for port is taken', async () => {
    await startedBefore()
    const { port, release } = await occupyPort()
    await expect(startPostgres({ dataDir, port })).rejects.toThrow(
      `POSTGRES_PORT ${port} is taken by another program; choose another port or leave POSTGRES_PORT unset.`,
    )
    release()
  })
})

describe('startPostgres: after a kill -9', () => {
  it('reports that the server died and recovers what was committed', async () => {
    await startedBefore()
    const first = await start()
    await ask(first.url, 'create table kept (value int)')
    await ask(first.url, 'insert into kept values (7)')
    const died = new Promise<string>((done) => first.onExit(done))
    process.kill(first.pid, 'SIGKILL')
    expect(await died).toBe('signal SIGKILL')
    const second = await start(first.port)
    expect(second.port).toBe(first.port)
    expect(await answerOf(second, 'select value from kept')).toBe(7)
  })

  it('ends the server of a supervisor that was killed, and continues with its data', async () => {
    await startedBefore()
    const script = runScript(
      `
      import { startPostgres } from './src/local/embedded/postgres.ts'
      const server = await startPostgres({ dataDir: process.env.TEST_DATA_DIR })
      console.log(JSON.stringify({ pid: server.pid, url: server.url }))
      setInterval(() => undefined, 1_000)
    `,
      { TEST_DATA_DIR: dataDir },
    )
    const orphan = JSON.parse(await script.nextLine()) as { pid: number; url: string }
    script.process.kill('SIGKILL')
    await once(script.process, 'exit')
    const server = await start()
    expect(server.pid).not.toBe(orphan.pid)
    expect(server.url).toBe(orphan.url)
  })

  it('starts although a pid file names another program', async () => {
    await startedBefore()
    const first = await start()
    const pidFile = join(dataDir, 'postgres', 'data', 'postmaster.pid')
    const left = await readFile(pidFile, 'utf8')
    await first.stop()
    await writeFile(pidFile, left.replace(/^\d+/, String(process.pid)))
    expect(await answerOf(await start(), 'select 1 as value')).toBe(1)
  })
})

async function start(port?: number): Promise<Postgres> {
  const server = await startPostgres({ dataDir, port })
  running.push(server)
  return server
}

async function answerOf(server: Postgres, statement: string): Promise<unknown> {
  const [row] = await ask(server.url, statement)
  return row?.value
}
