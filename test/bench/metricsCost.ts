import { freePort } from '../../src/local/embedded/ports.ts'
import { counted } from './counters.ts'
import { sendLoad } from './load.ts'
import type { Bench } from './orderIntake.ts'
import { comparePairs, type Sample } from './pairs.ts'
import { startProgram } from './program.ts'
import { openStage } from './stage.ts'

const REQUESTS = 4_000
const BATCH = 32
/**
 * P17: what the metrics cost an API under P1's load: one that serves them and is asked for them once in a run, against one that does not. A run is some
 * seconds, and Prometheus asks every fifteen.
 */
export const metricsCost: Bench = async (engines, run) => {
  const stage = await openStage(engines)
  const [port, metricsPort] = [await freePort(), await freePort()]
  const env = { DATABASE_URL: stage.databaseUrl, MODE: 'sandbox', RATE_LIMITS: 'off' }
  const measured = await startProgram('api/main', {
    ...env,
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    METRICS_HOST: '127.0.0.1',
  })
  const load = { method: 'POST' as const, path: '/v1/orders', body: stage.nextOrder, token: stage.tokens.buyer, status: 201 }
  const cpuOf = async (baseUrl: string, server: number): Promise<Sample> => {
    const counters = await counted({ pool: stage.pool, cpu: { server, postgres: engines.postgres.pid } }, REQUESTS, async () => {
      await sendLoad({ ...load, baseUrl, requests: REQUESTS, atOnce: BATCH })
    })
    return { value: counters.cpu_us_server ?? Number.NaN, counters }
  }
  try {
    const paired = await comparePairs({
      ...run,
      ours: async () => {
        const [sample] = await Promise.all([
          cpuOf(`http://127.0.0.1:${port}`, measured.pid),
          readMetrics(`http://127.0.0.1:${metricsPort}/metrics`),
        ])
        return sample
      },
      limit: () => cpuOf(stage.baseUrl, stage.api.pid),
    })
    const work = `CPU of the API for POST /orders, ${BATCH} at once, with METRICS_PORT set and read once in ${REQUESTS} orders`
    const shared = { id: 'P17', work, against: 'itself without METRICS_PORT', unit: 'us an order', goal: 'ratio <= 1.02' }
    return [{ ...shared, met: paired.ratio <= 1.02, ...paired }]
  } finally {
    await measured.stop()
    await stage.close()
  }
}

async function readMetrics(url: string): Promise<void> {
  const reply = await fetch(url)
  await reply.text()
  if (!reply.ok) throw new Error(`the metrics answered ${reply.status}`)
}
