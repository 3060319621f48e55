import { afterAll, beforeAll } from '@jest/globals'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime } from '@temporalio/worker'
import type { TestApp } from '../http/app.ts'
import type { Used } from '../useMarket.ts'
import { devServer } from './temporal.ts'
import { type WorkerProcesses, workerProcesses } from './workerProcesses.ts'

/** A separate Temporal, and worker processes that use it and the database of an app. */
export interface UsedWorkers extends WorkerProcesses {
  readonly env: TestWorkflowEnvironment
}

/**
 * Provides workers for the tests of a file. The Temporal starts before the first; after the last, the workers are killed before the app
 * stops, and the Temporal ends. `start` takes settings beyond those for the app. Nothing of it can be read before it has started.
 */
export function useWorkers(app: TestApp & Used, server?: Parameters<typeof devServer>[0]): UsedWorkers {
  const workers = workerProcesses()
  const use: WorkerProcesses & { env?: TestWorkflowEnvironment } = {
    start: (settings, onLine) => workers.start({ ...own(), ...settings }, onLine),
    kill: () => workers.kill(),
  }
  const own = () => ({
    DATABASE_URL: app.databaseUrl,
    DATA_DIR: app.dataDir,
    SECRETS_KEY: app.secretsKey.toString('base64'),
    TEMPORAL_ADDRESS: use.env?.address,
  })
  beforeAll(async () => {
    Runtime.install({ logger: new DefaultLogger('ERROR') })
    use.env = await devServer(server)
  }, 60_000)
  app.beforeStop(() => workers.kill())
  afterAll(() => use.env?.teardown())
  return use as UsedWorkers
}
