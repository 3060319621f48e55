import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { lockDataDir } from '../../../src/local/embedded/dataDir.ts'
import { type Incarnations, openIncarnations } from '../../../src/local/embedded/incarnations.ts'
import { choosePort } from '../../../src/local/embedded/ports.ts'
import { awaitPredecessors, PREDECESSOR_MS } from '../../../src/local/embedded/predecessors.ts'
import { runScript } from '../../support/files/runScript.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/files/temporaryFolder.ts'

let home: TemporaryFolder
let children: Incarnations
let said: string[]

beforeEach(async () => {
  home = await temporaryFolder()
  children = await openIncarnations(join(home.path, 'children'))
  said = []
})

afterEach(() => home.remove())

describe('what an earlier start left running', () => {
  it('is waited for, with one line, until its port is free', async () => {
    const { api, port } = await listening("process.on('SIGTERM', () => setTimeout(() => process.exit(0), 500))")
    await children.add(api.pid ?? 0)
    await expect(choosePort({ setting: 'PORT', askedFor: port })).rejects.toThrow('is taken by another program')
    await waited()
    expect(await choosePort({ setting: 'PORT', askedFor: port })).toBe(port)
    expect(said).toEqual([`Waiting for the processes of the last start to stop (${api.pid}) ...`])
    expect([api.exitCode, api.signalCode]).toEqual([0, null]) // it ended by itself
    expect(await children.living()).toEqual([])
  })

  it('is killed if it has not stopped when the wait is over', async () => {
    const { api } = await listening("process.on('SIGTERM', () => undefined)")
    await children.add(api.pid ?? 0)
    const began = performance.now()
    await waited(300)
    expect(performance.now() - began).toBeGreaterThanOrEqual(299)
    expect(PREDECESSOR_MS).toBe(10_000)
    expect(api.signalCode ?? (await once(api, 'exit'))[1]).toBe('SIGKILL')
    expect(await children.living()).toEqual([])
  })

  it('is not confused with another program that has its pid', async () => {
    const { api: other } = await listening('')
    await writeFile(join(home.path, 'children', `${other.pid}@an-earlier-life`), '')
    await waited()
    expect(said).toEqual([])
    expect([other.exitCode, other.signalCode]).toEqual([null, null])
    other.kill('SIGKILL')
  })
})

describe('a supervisor that is stopping', () => {
  it('is waited for; one that runs is not', async () => {
    const script = runScript(
      `
      import { lockDataDir } from './src/local/embedded/dataDir.ts'
      const lock = await lockDataDir(process.env.TEST_DATA_DIR)
      process.once('SIGTERM', async () => {
        await lock.ending()
        console.log('ending')
        process.once('SIGUSR2', () => lock.release().then(() => process.exit(0)))
      })
      console.log('locked')
      setInterval(() => undefined, 1_000)
    `,
      { TEST_DATA_DIR: home.path },
    )
    expect(await script.nextLine()).toBe('locked')
    await expect(lockDataDir(home.path)).rejects.toThrow('is in use by the marketplace')
    script.process.kill('SIGTERM')
    expect(await script.nextLine()).toBe('ending')
    const lock = await lockDataDir(home.path, (text) => {
      said.push(text)
      script.process.kill('SIGUSR2')
    })
    expect(said).toEqual([`Waiting for the marketplace with process id ${script.process.pid} to stop ...`])
    await lock.release()
  })
})

function waited(waitMs?: number): Promise<void> {
  const options = { onProgress: (text: string) => said.push(text), signal: new AbortController().signal }
  return awaitPredecessors(children, waitMs === undefined ? options : { ...options, waitMs })
}

/** A process that listens at a port of this machine, as the API does. */
async function listening(more: string): Promise<{ api: ChildProcess; port: number }> {
  const source = `${more}
    const server = require('node:http').createServer().listen(0, '127.0.0.1', () => console.log(server.address().port))`
  const api = spawn(process.execPath, ['-e', source], { stdio: ['ignore', 'pipe', 'ignore'] })
  const [port] = await once(api.stdout ?? api, 'data')
  return { api, port: Number(port) }
}
