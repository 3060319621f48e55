import { REGISTRY } from '../../src/metrics/registry.ts'
import '../../src/metrics/http.ts'
import '../../src/metrics/log.ts'
import '../../src/metrics/market.ts'
import '../../src/metrics/pool.ts'
import '../../src/metrics/work.ts'

/** Returns the text of docs/operate/metrics.md, made from the metrics themselves. */
export async function makeMetricsPage(): Promise<string> {
  const metrics = await REGISTRY.getMetricsAsJSON()
  const rows = metrics.map(({ name, help, type }) => `| \`${name}\` | ${type} | ${labelsOf(name)} | ${help} |`)
  return `${INTRODUCTION}${rows.join('\n')}\n\n${OTHERS}`
}

function labelsOf(name: string): string {
  const { labelNames = [] } = REGISTRY.getSingleMetric(name) as unknown as { labelNames?: readonly string[] }
  return labelNames.map((label) => `\`${label}\``).join(', ')
}

const INTRODUCTION = `# Metrics

With \`METRICS_PORT\` set, each process serves its metrics at \`/metrics\` on that port, in the text format of Prometheus, with \`/healthz\` (the
process is alive) and \`/readyz\` (503 until it works or listens). No label names a tenant or an id, so the number of series does not grow with the market. This page is made from the code: \`npm run docs\` writes it.

A process shows what it measures; add over processes (\`sum\`, histograms by \`le\`). Figures of the whole marketplace, from \`orders\` to \`market_figures_read_seconds\`, are read
every 15 seconds and shown by one worker at a time: another takes over when it ends.

| Name | Type | Labels | Meaning |
|---|---|---|---|
`

const OTHERS = `Beside these each process shows \`process_*\` and \`nodejs_*\` (CPU, memory, event loop lag, garbage collection) of
[prom-client](https://github.com/siimon/prom-client#default-metrics). A worker serves what its Temporal client measures on the next port:
\`temporal_workflow_task_schedule_to_start_latency_seconds\` (how long tasks wait for a worker), \`temporal_workflow_task_execution_failed\` and their like, see
[the SDK's metrics](https://docs.temporal.io/references/sdk-metrics).

Traces are apart from metrics: see [Traces](traces.md).

\`docker/prometheus\` has alert rules for them with their tests, and \`docker/grafana\` three dashboards: business, engine and edges.
`
