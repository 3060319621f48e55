import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { directoryStorage } from '../../../src/adapters/files/objectStorage/directory.ts'
import { type Postgres, startPostgres } from '../../../src/local/embedded/postgres.ts'
import { startTemporal, type Temporal } from '../../../src/local/embedded/temporal.ts'
import { findTemporal } from '../../../src/local/embedded/temporalBinary.ts'
import { openSpool } from '../../../src/operations/drops/spool.ts'
import type { StageDeps } from '../../../src/operations/drops/stage.ts'
import { type Database, openDatabase } from '../../../src/store/connection/database.ts'
import { readDrop } from '../../../src/store/drops/drops.ts'
import { migrate } from '../../../src/store/migrations/migrate.ts'
import { issueCredential } from '../../../src/store/tenants/credentials.ts'
import { BUNDLE, writtenBy } from '../../support/drops/bundle.ts'
import { ingest, landDrop } from '../../support/drops/drops.ts'
import { workerProcesses } from '../../support/engines/workerProcesses.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/files/temporaryFolder.ts'
import { bookOrders } from '../../support/settlement/bookOrders.ts'
import { until } from '../../support/until.ts'

/** Kills a server in the middle of a drop and starts it again. The drop writes what an unharmed twin writes. */

const workers = workerProcesses()
/** What the worker has logged. */
const said: unknown[] = []
let folder: TemporaryFolder
let postgres: Postgres
let temporal: Temporal
let db: Database
let deps: StageDeps
const dataDir = (of: string) => join(folder.path, of)
const startEngine = async (port?: number) => {
  const { path } = await findTemporal({ onProgress: () => undefined })
  return startTemporal({ binary: path, dataDir: dataDir('temporal'), namespace: 'default', port })
}

beforeAll(async () => {
  folder = await temporaryFolder()
  for (const server of ['postgres', 'temporal', 'worker']) await mkdir(dataDir(server))
  ;[postgres, temporal] = await Promise.all([startPostgres({ dataDir: dataDir('postgres') }), startEngine()])
  await migrate(postgres.url)
  db = openDatabase(postgres.url, { max: 4 })
  await issueCredential(db, { entity: 'acme', side: 'buyer', kind: 'test' })
  for (const seller of ['cable', 'north', 'south', 'west']) {
    await issueCredential(db, { entity: seller, side: 'seller', kind: 'test' })
    await bookOrders(db, { order_id: `ord_${seller}`, seller, seller_order_id: 'S-1', units: ['u'] })
  }
  const drops = directoryStorage(dataDir('worker/drops'))
  deps = { db, drops, spool: openSpool(dataDir('ours')), productsPerSeller: 1_000 }
  const twin = { seller: 'cable', drop_id: 'twin' }
  await landDrop(deps, twin, BUNDLE)
  await ingest(deps, twin)
  const settings = {
    DATABASE_URL: postgres.url,
    TEMPORAL_ADDRESS: temporal.address,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    DATA_DIR: dataDir('worker'),
    LOG_LEVEL: 'warn',
  }
  await workers.start(settings, ({ msg }) => said.push(msg))
}, 120_000)
afterAll(async () => {
  await workers.kill()
  await db.close()
  await Promise.all([postgres.stop(), temporal.stop()])
  await folder.remove()
}, 60_000)

/** Undefined while the database is away. */
const stateOf = (seller: string) => readDrop(db, seller, 'harmed').catch(() => undefined)
const reaches = (seller: string, row: number) =>
  until(async () => {
    const state = await stateOf(seller)
    return (state?.cursor_row ?? 0) >= row || state?.stage === 'ended'
  }, 120)

async function ends(seller: string): Promise<void> {
  await until(async () => (await stateOf(seller))?.stage === 'ended', 240)
  expect(await writtenBy(db.pool, seller, 'harmed')).toEqual(await writtenBy(db.pool, 'cable', 'twin'))
  expect(await stateOf(seller)).toMatchObject({ stuck_reason: null })
  await until(() => deps.drops.exists(`${seller}/harmed/errors.json`), 30)
}

describe('a drop in progress', () => {
  it('goes on when Temporal was killed and has come back', async () => {
    await landDrop(deps, { seller: 'north', drop_id: 'harmed' }, BUNDLE)
    await reaches('north', 10_000)
    process.kill(temporal.pid, 'SIGKILL')
    // The worker ends the stage, and cannot say so.
    await until(async () => (await stateOf('north'))?.stage === 'posts', 120)
    temporal = await startEngine(temporal.port)
    await ends('north')
  }, 540_000)

  it('begins when Temporal was away while it was registered', async () => {
    process.kill(temporal.pid, 'SIGKILL')
    const before = said.length
    await landDrop(deps, { seller: 'south', drop_id: 'harmed' }, BUNDLE)
    await until(() => said.slice(before).includes('Temporal is away; what waits for it is kept'))
    expect(await stateOf('south')).toMatchObject({ status: 'processing', stage: 'fetch' })
    temporal = await startEngine(temporal.port)
    await ends('south')
  }, 540_000)

  it('goes on when the Postgres server was killed, twice, and has come back', async () => {
    await landDrop(deps, { seller: 'west', drop_id: 'harmed' }, BUNDLE)
    for (const row of [1, 20_000]) {
      await reaches('west', row)
      process.kill(postgres.pid, 'SIGKILL')
      await sleep(1_500) // The first retry of the stage, after a second, finds the database away, too.
      postgres = await startPostgres({ dataDir: dataDir('postgres'), port: postgres.port })
    }
    await ends('west')
  }, 540_000)
})
