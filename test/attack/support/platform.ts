import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { DefaultLogger, Runtime } from '@temporalio/worker'
import { devServer } from '../../support/engines/temporal.ts'
import { workerProcesses } from '../../support/engines/workerProcesses.ts'
import { type Market, startMarket, type Tenant } from '../../support/market.ts'

/** The market with an engine and a worker process of its own, whose log is read. */
export interface Platform {
  readonly market: Market
  readonly worker: ChildProcess
  /** How late the worker's event loop was in each second since `from`, in milliseconds; the worst of them. */
  worstLag(from: number): number
  /** Creates an order and waits until it has that status. */
  moved(tenant: Tenant, order: Record<string, unknown>, status: string | readonly string[]): Promise<string>
  stop(): Promise<void>
}

export async function startPlatform(): Promise<Platform> {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
  const env = await devServer()
  const market = await startMarket()
  const workers = workerProcesses()
  const lags: { at: number; lag: number }[] = []
  const worker = await workers.start(
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
  return {
    market,
    worker,
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
    async stop() {
      workers.kill()
      await market.stop()
      await env.teardown()
    },
  }
}
