import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll } from '@jest/globals'
import { useWorkers } from '../../support/engines/useWorkers.ts'
import type { Market, Tenant } from '../../support/market.ts'
import { until } from '../../support/until.ts'
import { type Used, useMarket } from '../../support/useMarket.ts'

/** The market with its own Temporal server and worker process, whose log the test reads. */
export interface Platform {
  readonly market: Market & Used
  /** Returns the worst lag of the worker's event loop from `from` to now, in milliseconds. */
  worstLag(from: number): Promise<number>
  /** Creates an order and waits until it reaches the status. */
  moved(tenant: Tenant, order: Record<string, unknown>, status: string | readonly string[]): Promise<string>
}

/** Provides a platform for the tests of a file; it starts and stops as `useMarket` does. */
export function usePlatform(): Platform {
  const market = useMarket()
  const workers = useWorkers(market)
  const lags: { at: number; lag: number }[] = []
  beforeAll(() =>
    workers.start({ ALLOW_LOOPBACK_TARGETS: 'true', LOG_LEVEL: 'debug' }, ({ lag_ms }) => {
      if (typeof lag_ms === 'number') lags.push({ at: Date.now(), lag: lag_ms })
    }),
  )
  return {
    market,
    async worstLag(from) {
      const now = Date.now()
      await until(() => (lags.at(-1)?.at ?? 0) > now) // waits for the report on the current second
      return Math.max(...lags.filter(({ at }) => at >= from).map(({ lag }) => lag))
    },
    async moved(tenant, order, status) {
      const { status: code, body, text } = await tenant.post('/orders', order)
      if (code !== 201) throw new Error(text)
      const deadline = Date.now() + 120_000
      while (![status].flat().includes((await tenant.get(`/orders/${body.order_id}`)).body.status)) {
        if (Date.now() > deadline) throw new Error(`${body.order_id} did not become ${status} within two minutes`)
        await sleep(100) // many callers wait concurrently
      }
      return body.order_id
    },
  }
}
