import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { collectDefaultMetrics } from 'prom-client'
import { ConfigFault } from '../config/index.ts'
import { REGISTRY } from './registry.ts'

export interface MetricsServer {
  readonly port: number
  /** Makes `/readyz` return 200 from now on. */
  ready(): void
  close(): Promise<void>
}

/**
 * Serves the metrics of this process at `/metrics`, in the text format of Prometheus, `/healthz` and `/readyz`, on a separate port that no
 * tenant reaches. `/healthz` is 200 from the start; `/readyz` is 503 until `ready` is called.
 * Returns undefined without a port. Fails with a ConfigFault if another program uses it.
 */
export async function serveMetrics({ metricsPort, metricsHost }: MetricsSettings): Promise<MetricsServer | undefined> {
  if (metricsPort === undefined) return undefined
  let isReady = false
  const server = createServer((req, res) => {
    const answer = async (): Promise<[status: number, type: string, text: string]> => {
      const path = req.url?.split('?', 1)[0]
      if (req.method !== 'GET' && req.method !== 'HEAD') return [405, 'text/plain', 'GET is served here.\n']
      if (path === '/healthz') return [200, 'application/json', '{"status":"ok"}\n']
      if (path === '/readyz')
        return isReady ? [200, 'application/json', '{"status":"ready"}\n'] : [503, 'application/json', '{"status":"starting"}\n']
      if (path === '/metrics') return [200, REGISTRY.contentType, await REGISTRY.metrics()]
      return [404, 'text/plain', '/metrics, /healthz and /readyz are served here.\n']
    }
    answer().then(
      ([status, type, text]) => res.writeHead(status, { 'Content-Type': type }).end(text),
      () => res.writeHead(500).end(),
    )
  })
  server.requestTimeout = 10_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => reject(unservedMetrics(metricsHost, metricsPort, code ?? message)))
    server.listen(metricsPort, metricsHost, resolve)
  })
  server.unref()
  collectDefaultMetrics({ register: REGISTRY })
  return {
    port: (server.address() as AddressInfo).port,
    ready: () => {
      isReady = true
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function unservedMetrics(host: string, port: number, why: string): ConfigFault {
  return new ConfigFault(`Metrics cannot be served at ${host}, port ${port} (${why}); correct METRICS_HOST or METRICS_PORT.`)
}

export interface MetricsSettings {
  readonly metricsPort: number | undefined
  readonly metricsHost: string
}
