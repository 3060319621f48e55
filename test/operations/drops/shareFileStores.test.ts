import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { closeStores, openStores } from '../../../src/adapters/files/objectStorage/stores.ts'
import { readConfig } from '../../../src/config/index.ts'
import { shareFileStores } from '../../../src/operations/drops/shareFileStores.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/files/temporaryFolder.ts'
import { freePorts } from '../../support/freePorts.ts'
import { runProgram } from '../../support/runProgram.ts'
import { until } from '../../support/until.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const used = useDatabase()
let folder: TemporaryFolder
beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(() => folder.remove())

/** The settings of a process on a machine, whose data directory has this name. */
const settings = (machine: string, more: NodeJS.ProcessEnv = {}) => ({
  DATABASE_URL: used.url,
  DATA_DIR: join(folder.path, machine),
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  MODE: 'production',
  ...more,
})

/** Does at the start of a process what it does about its stores. Collects what it logs later. */
async function startOn(machine: string, more?: NodeJS.ProcessEnv) {
  await mkdir(join(folder.path, machine), { recursive: true })
  const config = readConfig(settings(machine, more))
  const stores = openStores(config)
  const lines: string[] = []
  const log = { error: (sentence: string) => void lines.push(sentence) }
  try {
    const sharing = await shareFileStores({ config, databaseUrl: used.url, stores, log })
    return { lines, stop: () => sharing.close() }
  } finally {
    closeStores(stores)
  }
}

const unshared = (setting: string) => ({
  name: 'ConfigFault',
  message: expect.stringContaining(`keeps its files elsewhere: set ${setting} of`),
})
const BUCKETS = {
  OBJECTS_URL: 's3://marketplace/objects?region=eu-west-1',
  DROPS_URL: 's3://marketplace/drops?region=eu-west-1',
}

describe('processes of one marketplace in production', () => {
  it('start on the same directories, and on the same bucket by any name of its endpoint', async () => {
    const there = [await startOn('one'), await startOn('one')]
    for (const process of there) await process.stop()
    const elsewhere = { OBJECTS_URL: `${BUCKETS.OBJECTS_URL}&endpoint=https://inner:9000`, DROPS_URL: BUCKETS.DROPS_URL }
    const buckets = [await startOn('one', BUCKETS), await startOn('two', elsewhere)]
    for (const process of buckets) await process.stop()
  })

  it('do not start on directories of two machines, nor on a directory where another has a bucket', async () => {
    const first = await startOn('one')
    await expect(startOn('two')).rejects.toMatchObject(unshared('OBJECTS_URL'))
    await expect(startOn('one', { DROPS_URL: BUCKETS.DROPS_URL })).rejects.toMatchObject(unshared('DROPS_URL'))
    await expect(startOn('one', { OBJECTS_URL: BUCKETS.OBJECTS_URL })).rejects.toMatchObject(unshared('OBJECTS_URL'))
    await first.stop()
  })

  it('may all move to another store once none runs, and a sandbox is on its own', async () => {
    const moved = await startOn('two')
    const sandbox = await startOn('three', { MODE: 'sandbox' })
    await Promise.all([moved.stop(), sandbox.stop()])
  })

  it('learn of another store after their connection broke', async () => {
    const first = await startOn('one')
    const owner = await used.owner().connect()
    await owner.query("select pg_advisory_lock_shared(hashtext('DROPS_URL'), hashtext('another'))")
    await owner.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'order-marketplace-stores'")
    await until(() => first.lines.length > 0, 20)
    expect(first.lines).toEqual([expect.stringContaining('keeps its files elsewhere: set DROPS_URL of')])
    owner.release(true)
    await first.stop()
  }, 30_000)

  it('end with the sentence alone', async () => {
    const first = await startOn('one')
    const port = await freePorts(2)
    for (const program of ['api/main', 'sftp/main']) {
      const { code, err } = await runProgram(program, [], settings('two', { PORT: String(port), SFTP_PORT: String(port + 1) }))
      expect({ program, code, err }).toEqual({
        program,
        code: 1,
        err: expect.stringMatching(/^Another process of this marketplace keeps its files elsewhere: set \w+_URL of every process .*\n$/),
      })
    }
    await first.stop()
  }, 60_000)
})
