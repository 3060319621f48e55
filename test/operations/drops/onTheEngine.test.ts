import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime } from '@temporalio/worker'
import pg from 'pg'
import { directoryStorage } from '../../../src/adapters/files/objectStorage/directory.ts'
import type { DropStage } from '../../../src/contract/vocabulary/drops.ts'
import { freePort } from '../../../src/local/embedded/ports.ts'
import { openSpool } from '../../../src/operations/drops/spool.ts'
import type { StageDeps } from '../../../src/operations/drops/stage.ts'
import { readDrop } from '../../../src/store/drops/drops.ts'
import { issueCredential } from '../../../src/store/tenants/credentials.ts'
import { runIdOf } from '../../../worker/runs.ts'
import { DROP_ATTRIBUTES } from '../../../workflows/searchAttributes.ts'
import { scale } from '../../attack/support/scale.ts'
import { AIRINGS, AVAILS_HEADER, BUNDLE, writtenBy } from '../../support/drops/bundle.ts'
import { ingest, landDrop } from '../../support/drops/drops.ts'
import { endAttempts } from '../../support/engines/endAttempts.ts'
import { devServer } from '../../support/engines/temporal.ts'
import { workerProcesses } from '../../support/engines/workerProcesses.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/files/temporaryFolder.ts'
import { bookOrders } from '../../support/settlement/bookOrders.ts'
import { until } from '../../support/until.ts'
import { useApp } from '../../support/useApp.ts'

const app = useApp()
const workers = workerProcesses()
let env: TestWorkflowEnvironment
let folder: TemporaryFolder
let deps: StageDeps

const TWIN = { seller: 'cable', drop_id: 'twin' }
const LOST = { seller: 'cable', drop_id: 'lost' }

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
  env = await devServer()
  folder = await temporaryFolder()
  const drops = directoryStorage(join(folder.path, 'drops'))
  await issueCredential(app.deps.db, { entity: 'north', side: 'seller', kind: 'test' })
  for (const seller of ['cable', 'station', 'north'])
    await bookOrders(app.deps.db, { order_id: `ord_${seller}`, seller, seller_order_id: 'S-1', units: ['u'] })
  deps = { db: app.deps.db, drops, spool: openSpool(join(folder.path, 'ours')), productsPerSeller: 1_000 }
  await landDrop(deps, TWIN, BUNDLE)
  await ingest(deps, TWIN)
  // No worker is running yet that could take it: only a sweep finds it.
  await landDrop(deps, LOST, [{ filename: 'lost.csv', type: 'avails', text: `${AVAILS_HEADER}\na,day,2026-01-01,available,77` }])
  await app.owner().query(`delete from outbox where target = 'cable/lost'`)
  await app.owner().query(`update drops set registered_at = now() - interval '2 minutes' where drop_id = 'lost'`)
}, 60_000)
app.beforeStop(() => workers.kill())
afterAll(async () => {
  await workers.kill()
  await folder.remove()
  await env.teardown()
})

const startWorker = (settings: NodeJS.ProcessEnv = {}) =>
  workers.start({
    DATABASE_URL: app.databaseUrl,
    TEMPORAL_ADDRESS: env.address,
    SECRETS_KEY: app.secretsKey.toString('base64'),
    DATA_DIR: folder.path,
    ...settings,
  })

const stateOf = async (drop_id: string, seller = 'station') => await readDrop(app.deps.db, seller, drop_id)
const ended = (drop_id: string, seller?: string) => until(async () => (await stateOf(drop_id, seller))?.stage === 'ended', 120)

/** Takes a lock that a stage needs to write, so that the stage waits for it; returns what releases it. */
async function hold(lock: { readonly name: string } | { readonly table: string }): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: app.databaseUrl })
  await client.connect()
  if ('name' in lock) await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [lock.name])
  else await client.query(`begin; lock table ${lock.table} in share mode`)
  return () => client.end()
}
const WAITING = `datname = current_database() and wait_event_type = 'Lock'`
const waiting = async () => (await app.owner().query(`select from pg_stat_activity where ${WAITING}`)).rowCount

/** Starts a worker that goes on where a killed one was. */
async function takeOver(dead: ChildProcess): Promise<ChildProcess> {
  const worker = await startWorker()
  for (const seller of ['station', 'north']) await endAttempts(env.client, runIdOf('drop', `${seller}/killed`), dead)
  return worker
}

/** Runs a worker until each drop is in its stage and waits for a lock there, and kills it when `reached` holds, too. */
async function killedIn(
  worker: ChildProcess,
  stages: { readonly station: DropStage; readonly north: DropStage },
  reached: () => Promise<unknown> = async () => undefined,
): Promise<ChildProcess> {
  await stoppedIn(stages)
  await reached()
  worker.kill('SIGKILL')
  await once(worker, 'exit')
  // What a dead client waits for is not a wait of the next worker.
  await app.owner().query(`select pg_terminate_backend(pid) from pg_stat_activity where ${WAITING}`)
  return worker
}
const stoppedIn = (stages: { readonly station: DropStage; readonly north: DropStage }) =>
  until(async () => {
    const [station, north] = [await stateOf('killed'), await stateOf('killed', 'north')]
    return station?.stage === stages.station && north?.stage === stages.north && (await waiting()) === 2
  }, 90)

const written = (seller: string, drop_id: string) => writtenBy(app.deps.db.pool, seller, drop_id)

describe('a drop on the engine', () => {
  it('whose worker is killed in every stage and between slices writes what it writes without a kill', async () => {
    for (const seller of ['station', 'north']) await landDrop(deps, { seller, drop_id: 'killed' }, BUNDLE)
    // The lock `drops:` is needed at the end of fetch and of avails, `publish:` in publish, for each slice of avails, and in finish.
    const stationFetches = await hold({ name: 'drops:station' })
    const northPublishes = await hold({ name: 'publish:north' })
    const first = await killedIn(await startWorker(), { station: 'fetch', north: 'publish' })

    const northMerges = await hold({ name: 'drops:north' })
    let stationSlices = async () => undefined as unknown
    await northPublishes()
    const second = await killedIn(await takeOver(first), { station: 'fetch', north: 'avails' }, async () => {
      expect((await stateOf('killed', 'north'))?.cursor_row).toBeGreaterThanOrEqual(AIRINGS.length)
      await stationFetches()
      await until(async () => ((await stateOf('killed'))?.cursor_row ?? 0) > 0, 90)
      stationSlices = await hold({ name: 'publish:station' })
      await stoppedIn({ station: 'avails', north: 'avails' })
      expect((await stateOf('killed'))?.cursor_row).toBeLessThan(AIRINGS.length)
    })

    const stationMerges = await hold({ name: 'drops:station' })
    await stationSlices()
    const northFinishes = await hold({ name: 'publish:north' })
    await northMerges()
    let stationPosts = async () => undefined as unknown
    const third = await killedIn(await takeOver(second), { station: 'avails', north: 'finish' }, async () => {
      stationPosts = await hold({ table: 'post_rows' })
      await stationMerges()
      await stoppedIn({ station: 'posts', north: 'finish' })
    })

    await northFinishes()
    await stationPosts()
    await takeOver(third)
    for (const seller of ['station', 'north']) {
      await ended('killed', seller)
      const run = env.client.workflow.getHandle(runIdOf('drop', `${seller}/killed`))
      await run.result()
      expect(await written(seller, 'killed')).toEqual(await written('cable', 'twin'))
      const shown = (await run.describe()).typedSearchAttributes
      expect(shown.get(DROP_ATTRIBUTES.DropSeller)).toBe(seller)
      expect(shown.get(DROP_ATTRIBUTES.DropStage)).toBe('ended')
    }
  }, 400_000)

  it('that was lost with its run is found by the sweep', async () => {
    await ended('lost', 'cable')
    expect(await stateOf('lost', 'cable')).toMatchObject({ status: 'success' })
  }, 120_000)

  it('waits for a store that is away, and says so to the seller and in the Temporal UI', async () => {
    await workers.kill()
    await landDrop(deps, { seller: 'station', drop_id: 'away' }, [
      { filename: 'away.csv', type: 'avails', text: `${AVAILS_HEADER}\na,day,2026-01-01,available,41` },
    ])
    const away = `s3://drops?endpoint=http://127.0.0.1:${await freePort()}&region=us-east-1&path_style=true`
    const worker = await startWorker({ DROPS_URL: away, AWS_ACCESS_KEY_ID: 'none', AWS_SECRET_ACCESS_KEY: 'none', LOG_LEVEL: 'fatal' })
    await until(async () => (await stateOf('away'))?.stuck_reason === 'storage_unavailable', 90)
    const run = env.client.workflow.getHandle(runIdOf('drop', 'station/away'))
    const reason = async () => (await run.describe()).typedSearchAttributes.get(DROP_ATTRIBUTES.DropStuckReason)
    await until(async () => (await reason()) === 'storage_unavailable', 90)
    worker.kill('SIGKILL')
    await startWorker()
    await ended('away')
    await run.result()
    expect(await stateOf('away')).toMatchObject({ status: 'success', stuck_reason: null })
    expect(await reason()).toBeUndefined()
  }, 300_000)

  it('waits for an earlier one of its seller, and its rows are the ones that stay', async () => {
    const land = (drop_id: string, ...airings: readonly string[]) => {
      const avails = { filename: 'avails.csv', type: 'avails', text: [AVAILS_HEADER, ...airings].join('\n') } as const
      return landDrop(deps, { seller: 'station', drop_id }, [...BUNDLE.filter(({ type }) => type === 'catalog'), avails])
    }
    // Alone, the second one would end long before the first.
    const publish = await hold({ name: 'publish:station' })
    await land('one', ...AIRINGS.slice(0, scale(10_000, 20_000)), 'a,day,2025-12-31,available,1')
    await land('two', 'a,day,2025-12-31,available,2')
    await publish()
    for (const drop_id of ['one', 'two']) await ended(drop_id)
    const { rows: order } = await app.owner().query(`select drop_id from drops where drop_id in ('one', 'two') order by ended_at`)
    expect(order).toEqual([{ drop_id: 'one' }, { drop_id: 'two' }])
    const stays = `select body from avails where seller = 'station' and product_id = 'a' and start = '2025-12-31'`
    expect((await app.owner().query(stays)).rows).toMatchObject([{ body: { spots: { available: 2 } } }])
  }, 300_000)

  it('is retried while the database cuts its connections', async () => {
    await landDrop(deps, { seller: 'station', drop_id: 'cut' }, [
      {
        filename: 'cut.csv',
        type: 'avails',
        text: [AVAILS_HEADER, ...AIRINGS.slice(0, 25_000)].join('\n').replaceAll(',available,', ',unavailable,'),
      },
    ])
    await until(async () => ((await stateOf('cut'))?.cursor_row ?? 0) >= 10_000, 90)
    for (let times = 0; times < 3; times += 1) {
      await app
        .owner()
        .query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename is not null and query ~ 'drop_slice|pg_advisory|drops' and pid <> pg_backend_pid()`,
        )
      await sleep(500)
    }
    await ended('cut')
    const { rows } = await app.deps.db.pool.query(
      `select count(*)::int as n from avails where seller = 'station' and state = 'unavailable'`,
    )
    expect(rows).toEqual([{ n: 25_000 }])
  }, 200_000)
})
