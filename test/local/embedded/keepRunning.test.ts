import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { keepRunning, STOP_MS } from '../../../src/local/embedded/keepRunning.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/files/temporaryFolder.ts'

let home: TemporaryFolder

beforeEach(async () => {
  home = await temporaryFolder()
})

afterEach(() => home.remove())

describe('keepRunning', () => {
  it('starts a child again that was killed', async () => {
    const pids = listOf<number>()
    const child = await keep('process.send({ ready: true }); console.log(process.pid); setInterval(() => 0, 1000)', (line) =>
      pids.push(Number(line)),
    )
    await child.ready
    process.kill(await pids.at(0), 'SIGKILL')
    expect(await pids.at(1)).not.toBe(await pids.at(0))
    await child.stop()
  })

  it('gives up on one that never starts, with the last error that it printed', async () => {
    const child = await keep("throw new TypeError('no such table: orders')")
    await expect(child.ready).rejects.toThrow('The API does not start: TypeError: no such table: orders.')
    await child.stop()
  })

  it('lets one end what takes five seconds, as a webhook post may', async () => {
    expect(STOP_MS).toBeGreaterThan(5_100)
    const source =
      "process.on('SIGTERM', () => setTimeout(() => { console.log('ended'); process.exit(0) }, 700)); process.send({ ready: true }); console.log('up'); setInterval(() => 0, 1000)"
    const said: string[] = []
    const child = await keep(source, (line) => said.push(line), 3_000)
    await child.ready
    await child.stop()
    expect(said).toEqual(['up', 'ended'])
  }, 30_000)

  it('kills one that ignores the stop', async () => {
    const source = "process.on('SIGTERM', () => 0); process.send({ ready: true }); console.log(process.pid); setInterval(() => 0, 1000)"
    const pids = listOf<number>()
    const child = await keep(source, (line) => pids.push(Number(line)), 200)
    await child.ready
    const pid = await pids.at(0)
    await child.stop()
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  }, 30_000)
})

async function keep(source: string, onOutput: (line: string) => void = () => undefined, stopMs?: number) {
  const module = join(home.path, 'child.mjs')
  await writeFile(module, source)
  const spec = { name: 'API', args: [module], env: process.env, onProgress: () => undefined, onOutput }
  return keepRunning(stopMs === undefined ? spec : { ...spec, stopMs })
}

/** A list whose places can be awaited. */
function listOf<T>() {
  const items: T[] = []
  return {
    push: (item: T) => items.push(item),
    at: async (index: number): Promise<T> => {
      for (;;) {
        const item = items[index]
        if (item !== undefined) return item
        await new Promise((done) => setTimeout(done, 10))
      }
    },
  }
}
