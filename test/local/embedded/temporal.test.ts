import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { Client, Connection } from '@temporalio/client'
import { SEARCH_ATTRIBUTES } from '../../../src/contract/vocabulary/searchAttributes.ts'
import { checkTemporal, startTemporal, type Temporal } from '../../../src/local/embedded/temporal.ts'
import { findTemporal } from '../../../src/local/embedded/temporalBinary.ts'
import { readableByOthers } from '../../support/files/readableByOthers.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/files/temporaryFolder.ts'
import { occupyPort } from '../../support/occupyPort.ts'
import { until } from '../../support/until.ts'

let home: TemporaryFolder
let running: Temporal[] = []

beforeEach(async () => {
  home = await temporaryFolder()
})

afterEach(async () => {
  await Promise.all(running.map((server) => server.stop()))
  running = []
  await home.remove()
})

describe('checkTemporal', () => {
  it('says in one sentence that no server answers', async () => {
    await expect(checkTemporal({ address: '127.0.0.1:1' }, 'default', 200)).rejects.toThrow(
      /^The Temporal of TEMPORAL_ADDRESS 127\.0\.0\.1:1 cannot be reached \(.+\); start it or correct TEMPORAL_ADDRESS\.$/,
    )
  })
})

describe('startTemporal', () => {
  it('keeps its files from other users', async () => {
    await start()
    expect(await readableByOthers(home.path)).toEqual([])
  })

  it('serves its namespace, and keeps workflows, search attributes and ports over a kill -9', async () => {
    const first = await start()
    const { address } = first
    await checkTemporal({ address }, 'default')
    await expect(checkTemporal({ address }, 'orders-eu')).rejects.toThrow(
      `The Temporal at ${address} has no namespace orders-eu; create it or correct TEMPORAL_NAMESPACE.`,
    )
    await asClient(first, (client) => client.workflow.start('order', { taskQueue: 'orders', workflowId: 'order:1' }))
    const died = new Promise<string>((done) => first.onExit(done))
    process.kill(first.pid, 'SIGKILL')
    expect(await died).toBe('signal SIGKILL')

    const second = await start()
    expect([second.port, second.uiPort]).toEqual([first.port, first.uiPort])
    const status = await asClient(second, (client) => client.workflow.getHandle('order:1').describe())
    expect(status.status.name).toBe('RUNNING')
    const { customAttributes } = await asClient(second, (client) =>
      client.connection.operatorService.listSearchAttributes({ namespace: 'default' }),
    )
    expect(Object.keys(customAttributes ?? {})).toEqual(expect.arrayContaining(Object.keys(SEARCH_ATTRIBUTES)))
    await until(
      () =>
        fetch(second.ui).then(
          ({ ok }) => ok,
          () => false,
        ),
      30,
    )
  })

  it('says in one sentence that it cannot keep its file below such a path', async () => {
    const dataDir = join(home.path, '50%?')
    await expect(startTemporal({ binary: '/nowhere', dataDir, namespace: 'default' })).rejects.toThrow(
      `DATA_DIR ${dataDir} has a ?, # or % in its path; choose a directory without, or set TEMPORAL_ADDRESS.`,
    )
  })

  it('says in one sentence that an asked-for port is taken', async () => {
    const { port, release } = await occupyPort()
    await expect(startTemporal({ binary: '/nowhere', dataDir: home.path, namespace: 'default', port })).rejects.toThrow(
      `TEMPORAL_PORT ${port} is taken by another program; choose another port or leave TEMPORAL_PORT unset.`,
    )
    release()
  })
})

async function start(): Promise<Temporal> {
  const { path: binary } = await findTemporal({ onProgress: (text) => process.stderr.write(`${text}\n`) })
  const server = await startTemporal({ binary, dataDir: home.path, namespace: 'default' })
  running.push(server)
  return server
}

async function asClient<T>(server: Temporal, act: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address: server.address })
  try {
    return await act(new Client({ connection }))
  } finally {
    await connection.close()
  }
}
