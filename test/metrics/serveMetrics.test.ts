import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type MetricsServer, serveMetrics } from '../../src/metrics/serveMetrics.ts'
import { freePorts } from '../support/freePorts.ts'
import { scrape } from '../support/metrics/scrape.ts'
import { occupyPort } from '../support/occupyPort.ts'

const metricsHost = '127.0.0.1'
let metricsPort: number
let server: MetricsServer | undefined

beforeAll(async () => {
  metricsPort = await freePorts(1)
  server = await serveMetrics({ metricsHost, metricsPort })
})
afterAll(async () => {
  await server?.close()
})

describe('the port of metrics', () => {
  it('serves what the process measures, itself included', async () => {
    const series = await scrape(metricsPort)
    expect(series.get('nodejs_heap_size_used_bytes')).toBeGreaterThan(0)
    expect([...series.keys()]).toContain('nodejs_eventloop_lag_p99_seconds')
  })

  it('says that the process is alive', async () => {
    const reply = await fetch(`http://127.0.0.1:${metricsPort}/healthz`)
    expect([reply.status, await reply.json()]).toEqual([200, { status: 'ok' }])
  })

  it('says that the process is ready once it is', async () => {
    const readiness = async () => {
      const reply = await fetch(`http://127.0.0.1:${metricsPort}/readyz`)
      return [reply.status, await reply.json()]
    }
    expect(await readiness()).toEqual([503, { status: 'starting' }])
    server?.ready()
    expect(await readiness()).toEqual([200, { status: 'ready' }])
  })

  it('serves nothing else, and takes nothing', async () => {
    const statusOf = async (path: string, method = 'GET') => (await fetch(`http://127.0.0.1:${metricsPort}${path}`, { method })).status
    expect(await Promise.all([statusOf('/v1/sellers'), statusOf('/metrics', 'POST')])).toEqual([404, 405])
  })

  it('is not there unless it is set', async () => {
    expect(await serveMetrics({ metricsHost, metricsPort: undefined })).toBeUndefined()
  })

  it('stops the start in one sentence where another program has it', async () => {
    const { port: taken, release } = await occupyPort()
    await expect(serveMetrics({ metricsHost, metricsPort: taken })).rejects.toThrow(
      `Metrics cannot be served at 127.0.0.1, port ${taken} (EADDRINUSE); correct METRICS_HOST or METRICS_PORT.`,
    )
    release()
  })
})
