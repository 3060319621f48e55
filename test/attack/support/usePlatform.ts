import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll } from '@jest/globals'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime } from '@temporalio/worker'
import { devServer } from '../../support/engines/temporal.ts'
import { workerProcesses } from '../../support/engines/workerProcesses.ts'
import type { Market, Tenant } from '../../support/market.ts'
import { type Used, useMarket } from '../../support/useMarket.ts'

/** The market with an engine and a worker process of its own, whose log is read. */
export interface Platform {
  readonly market: Market & Used
  /** How late the worker's event loop was in each second since `from`, in milliseconds; the worst of them. */
  worstLag(from: number): number
  /** Creates an order and waits until it has that status. */
  moved(tenant: Tenant, order: Record<string, unknown>, status: string | readonly string[]): Promise<string>
}

/** A platform for the tests of a file, as `useMarket` starts and stops one. */
export function usePlatform(): Platform {
  const market = useMarket()
  const workers = workerProcesses()
  const lags: { at: number; lag: number }[] = []
  let env: TestWorkflowEnvironment
  beforeAll(async () => {
    Runtime.install({ logger: new DefaultLogger('ERROR') })
    env = await devServer()
    await workers.start(
      {
        DATABASE_URL: market.databaseUrl,
        DATA_DIR: market.dataDir,
        TEMPORAL_ADDRESS: env.address,
        SECRETS_KEY: market.secretsKey.toString('base64'),
        ALLOW_LOOPBACK_TARGETS: 'true',
        LOG_LEVEL: 'debug',
      },
      ({ lag_ms }) => {
        if (typeof lag_ms === 'number') lags.push({ at: Date.now(), lag: lag_ms })
      },
    )
  }, 120_000)
  market.beforeStop(() => workers.kill())
  afterAll(() => env?.teardown())
  return {
    market,
    worstLag: (from) => Math.max(0, ...lags.filter(({ at }) => at >= from).map(({ lag }) => lag)),
    async moved(tenant, order, status) {
      const { status: code, body, text } = await tenant.post('/orders', order)
      if (code !== 201) throw new Error(text)
      const deadline = Date.now() + 120_000
      while (!status.includes((await tenant.get(`/orders/${body.order_id}`)).body.status)) {
        if (Date.now() > deadline) throw new Error(`${body.order_id} did not become ${status} within two minutes`)
        await sleep(100) // many wait at once
      }
      return body.order_id
    },
  }
}
