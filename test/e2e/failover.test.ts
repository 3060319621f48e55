import { execFile } from 'node:child_process'
import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { freePort } from '../../src/local/embedded/ports.ts'
import { type Postgres, startPostgres } from '../../src/local/embedded/postgres.ts'
import { ask } from '../support/engines/ask.ts'
import { type CuttableProxy, startCuttableProxy } from '../support/engines/cuttableProxy.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/files/temporaryFolder.ts'
import { until } from '../support/until.ts'
import { openParties, UNDER_LOAD } from './deaths.ts'
import { type Product, startProduct } from './product.ts'
import { startTraffic } from './traffic.ts'
import { brokenPromises, unfinishedOrders, wrongsSeenByClients } from './verdict.ts'

let home: TemporaryFolder
let dataDir: string
let primary: Postgres
let standby: Postgres
/** The single address of the database, as with a managed database. */
let address: CuttableProxy
let product: Product
beforeAll(async () => {
  home = await temporaryFolder()
  dataDir = join(home.path, '.data')
  primary = await startPostgres({ dataDir })
  standby = await replicate()
  address = await startCuttableProxy(primary.url)
  const url = Object.assign(new URL(primary.url), { port: new URL(address.url).port }).href
  const env = { ...UNDER_LOAD, DATABASE_URL: url, MODE: 'sandbox' }
  product = await startProduct({ dataDir, port: await freePort(), env })
}, 150_000)
afterAll(async () => {
  await product?.stop()
  await Promise.all([address?.close(), primary?.stop(), standby?.stop()])
  await home.remove()
}, 60_000)

/** Starts a hot standby of the primary, which from then on confirms a commit only once both have it. */
async function replicate(): Promise<Postgres> {
  await primary.stop()
  const other = join(home.path, 'standby')
  await mkdir(other, { mode: 0o700 })
  await promisify(execFile)('cp', ['-a', join(dataDir, 'postgres'), other])
  const data = join(other, 'postgres', 'data')
  primary = await startPostgres({ dataDir })
  const { hostname, port, username, password } = new URL(primary.url)
  await appendFile(
    join(data, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password}'\n`,
  )
  await writeFile(join(data, 'standby.signal'), '')
  const follower = await startPostgres({ dataDir: other, port: await freePort() })
  await ask(primary.url, `alter system set synchronous_standby_names = '*'`)
  await ask(primary.url, 'select pg_reload_conf()')
  await until(async () => (await ask(primary.url, `select from pg_stat_replication where sync_state = 'sync'`)).length === 1, 30)
  return follower
}

it('a failover under load loses nothing that was accepted, and answers the rest with 503 until the standby serves', async () => {
  const parties = await openParties(product)
  const traffic = startTraffic(parties, { name: 'failover' })
  await until(() => traffic.orders.length > 10, 60)

  process.kill(primary.pid, 'SIGKILL')
  address.leadTo(undefined)
  const [token] = Object.values(product.credentials.buyers).map((buyer) => buyer?.token)
  const refused = await fetch(`${product.credentials.base_url}/orders`, { headers: { authorization: `Bearer ${token}` } })
  expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true])
  await ask(standby.url, 'select pg_promote()')
  address.leadTo(standby.url)
  // Checks that look up the database in the data directory must find the new primary.
  await writeFile(join(dataDir, 'postgres', 'port'), `${standby.port}\n`)
  await product.recovered()
  const before = traffic.orders.length
  await until(() => traffic.orders.length > before, 60)
  await traffic.finish()

  expect(traffic.faults).toEqual([])
  expect(await wrongsSeenByClients(parties, traffic.orders)).toEqual([])
  expect(await unfinishedOrders(dataDir, traffic.orders, 60_000)).toEqual([])
  expect(await brokenPromises(dataDir, traffic.orders)).toEqual([])
}, 300_000)
