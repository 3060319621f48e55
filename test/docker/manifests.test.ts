import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from '@jest/globals'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../../src/config/index.ts'
import { ROOT } from '../../src/config/root.ts'
import { ENVIRONMENT } from '../../src/config/variables.ts'
import { temporaryFolder } from '../support/files/temporaryFolder.ts'
import { succeeds } from '../support/succeeds.ts'

const FOLDER = join(ROOT, 'docker')
const textOf = (file: string) => readFileSync(join(FOLDER, file), 'utf8')
interface Rule {
  readonly alert?: string
  readonly labels?: { severity: string }
  readonly annotations?: { summary: string; runbook_url?: string }
}

const run = (command: string, ...args: string[]) => promisify(execFile)(command, args, { cwd: FOLDER })

/** Tests that need a program: left out, with a line that says so, where it is not installed. */
function withProgram(program: string, asked: string, packageName: string): typeof it | typeof it.skip {
  if (succeeds(program, asked)) return it
  process.stderr.write(`A part of manifests.test.ts is left out: there is no ${program} here (${packageName}).\n`)
  return it.skip
}

const withPromtool = withProgram('promtool', '--version', 'apt-get install prometheus')
const withCompose = withProgram('docker-compose', '--version', 'apt-get install docker-compose')
const withKubectl = withProgram('kubectl', 'help', 'kubectl 1.14 or newer')

describe('what watches the marketplace', () => {
  withPromtool('has rules that alert when they should, and only then', async () => {
    await run('promtool', 'check', 'config', 'prometheus/prometheus.yml')
    const { stdout } = await run('promtool', 'test', 'rules', 'prometheus/rules.test.yml')
    expect(stdout).toContain('SUCCESS')
  })

  const { groups } = parse(textOf('prometheus/rules.yml')) as { groups: { rules: Rule[] }[] }
  const rules = groups.flatMap(({ rules }) => rules)
  const alerts = rules.flatMap(({ alert }) => alert ?? [])

  it('has a row of docs/operate for each alert, with the page that the alert names', () => {
    const [, section = ''] = /^## Alerts\n(.*?)^## /ms.exec(readFileSync(join(ROOT, 'docs/operate/README.md'), 'utf8')) ?? []
    const rows = [...section.matchAll(/^\| `(\w+)` \((page|ticket)\) \|.*\]\(symptoms\/([\w-]+\.md)\) \|$/gm)].map(([, ...row]) =>
      row.join(' '),
    )
    const expected = rules.flatMap(({ alert, labels, annotations }) => {
      const [, page] = /^\{\{ \$externalLabels\.runbook \}\}\/([\w-]+\.md)$/.exec(annotations?.runbook_url ?? '') ?? []
      return alert === undefined ? [] : `${alert} ${labels?.severity} ${page}`
    })
    expect(rows.sort()).toEqual(expected.sort())
  })

  it('names in each alert a page that exists', () => {
    const urls = rules.flatMap(({ alert, annotations }) => (alert === undefined ? [] : (annotations?.runbook_url ?? `none of ${alert}`)))
    const names = urls.map((url) => url.replace('{{ $externalLabels.runbook }}', 'docs/operate/symptoms'))
    expect(names.filter((name) => !existsSync(join(ROOT, name)))).toEqual([])
    const { global } = parse(textOf('prometheus/prometheus.yml')) as { global: { external_labels: Record<string, string> } }
    expect(global.external_labels.runbook).toMatch(/^https:.*\/docs\/operate\/symptoms$/)
  })

  it('finds pods of the cluster by the labels and ports that they have, under the names of the jobs that rules ask for', () => {
    const jobs = parse(textOf('prometheus/kubernetes.yml')) as { relabel_configs: { source_labels: string[]; regex?: string }[] }[]
    const of = (label: string) =>
      jobs.flatMap((job) => job.relabel_configs.filter(({ source_labels }) => source_labels[0]?.endsWith(label)))
    expect(textOf('kubernetes/base/kustomization.yaml')).toContain(`app.kubernetes.io/part-of: ${of('part_of')[0]?.regex}`)
    for (const port of of('port_name')[0]?.regex?.split('|') ?? [])
      expect(textOf('kubernetes/base/worker.yaml')).toContain(`{ name: ${port},`)
    expect(textOf('prometheus/prometheus.yml')).toContain('job_name: worker-temporal')
  })

  it('has a test for each alert', () => {
    expect(alerts.length).toBeGreaterThan(10)
    const { tests } = parse(textOf('prometheus/rules.test.yml')) as {
      tests: { alert_rule_test?: { alertname: string; exp_alerts?: unknown[] }[] }[]
    }
    const tested = tests.flatMap(({ alert_rule_test = [] }) =>
      alert_rule_test.filter(({ exp_alerts }) => exp_alerts !== undefined).map(({ alertname }) => alertname),
    )
    expect(alerts.filter((alert) => !tested.includes(alert))).toEqual([])
  })

  it('asks for metrics that exist', async () => {
    const standard = new Registry()
    collectDefaultMetrics({ register: standard })
    const documented = [...readFileSync(join(ROOT, 'docs/operate/metrics.md'), 'utf8').matchAll(/`([a-z][a-z0-9_]+)`/g)].map(
      ([, name]) => name,
    )
    const recorded = [...textOf('prometheus/rules.yml').matchAll(/record: (\S+)/g)].map(([, name]) => name)
    const known = new Set([...documented, ...recorded, ...standard.getMetricsAsArray().map(({ name }) => name), 'up'])
    const dashboards = readdirSync(join(FOLDER, 'grafana/dashboards')).map((file) => `grafana/dashboards/${file}`)
    expect(dashboards).toHaveLength(3)
    const expressions = [
      ...[...textOf('prometheus/rules.yml').matchAll(/expr: (?:\|\n((?: {10}.+\n)+)|(.+))/g)].map(([, block, line]) => block ?? line ?? ''),
      ...dashboards.flatMap((file) =>
        (JSON.parse(textOf(file)) as Dashboard).panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
      ),
    ]
    expect(expressions.length).toBeGreaterThan(50)
    // Prometheus 3 keeps le="1" as le="1.0", which such a matcher never meets.
    expect(expressions.filter((expression) => /le="\d+"/.test(expression))).toEqual([])
    const asked = new Set(expressions.flatMap(metricsIn))
    expect([...asked].filter((name) => !known.has(name) && !known.has(name.replace(/_(bucket|sum|count)$/, '')))).toEqual([])
  })
})

interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[]
}

/** Names in an expression that are neither labels nor words of the language. */
function metricsIn(expression: string): string[] {
  const bare = expression
    .replace(/\{[^}]*\}/g, '')
    .replace(/"[^"]*"/g, '')
    .replace(/\b(by|without) \([^)]*\)/g, '')
    .replace(/\[[^\]]*\]/g, '')
  return [...bare.matchAll(/[a-z_][a-z0-9_:]*(?!\s*\()\b/gi)].map(([name]) => name).filter((name) => !WORDS.has(name))
}

const WORDS = new Set(['or', 'sum', 'max', 'rate', 'increase', 'absent', 'topk', 'histogram_quantile'])

interface Service {
  readonly image?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly read_only?: boolean
}

describe('compose.yaml', () => {
  const { services } = parse(textOf('compose.yaml'), { merge: true }) as { services: Record<string, Service> }
  const own = Object.entries(services).filter(([, { image }]) => image?.startsWith('order-marketplace:'))

  it('pins every image, and runs its own read-only', () => {
    for (const { image } of Object.values(services)) expect(image).toMatch(/^[a-z0-9/-]+:v?\d+(\.\d+)+$/)
    expect(own.map(([name]) => name)).toEqual(['migrate', 'api', 'worker', 'sftp'])
    expect(own.every(([, { read_only }]) => read_only === true)).toBe(true)
  })

  it('sets variables that the service has', () => {
    const set = own.flatMap(([, { environment = {} }]) => Object.keys(environment)).filter((name) => !/^(AWS|NODE)_/.test(name))
    expect(set.filter((name) => !(name in ENVIRONMENT.shape))).toEqual([])
  })

  it('takes every secret from .env, of which .env.example has each', () => {
    const asked = new Set([...textOf('compose.yaml').matchAll(/\$\{([A-Z_0-9]+):\?/g)].map(([, name]) => name))
    const offered = [...textOf('.env.example').matchAll(/^([A-Z_0-9]+)=/gm)]
      .map(([, name]) => name)
      .filter((name) => name !== 'COMPOSE_PROJECT_NAME')
    expect(offered.sort()).toEqual([...asked].sort())
    expect(textOf('compose.yaml')).not.toMatch(/(PASSWORD|SECRET|PWD)\w*: (?!\$\{)/)
  })

  it('has databases for Temporal, which the image does not make', () => {
    const { DBNAME, VISIBILITY_DBNAME, POSTGRES_USER, SKIP_DB_CREATE } = services.temporal?.environment ?? {}
    expect(SKIP_DB_CREATE).toBe('true')
    for (const name of [DBNAME, VISIBILITY_DBNAME])
      expect(textOf('postgres/roles.sh')).toContain(`create database ${name} owner ${POSTGRES_USER};`)
  })

  withCompose(
    'is what Compose takes',
    async () => {
      const folder = await temporaryFolder()
      const env = join(folder.path, 'env')
      await writeFile(env, textOf('.env.example').replaceAll(/=$/gm, '=filled'))
      const { stdout } = await run('docker-compose', '-f', 'compose.yaml', '--env-file', env, '--profile', 'watch', 'config')
      expect(stdout).toContain('prometheus')
      await folder.remove()
    },
    60_000,
  )
})

interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: { readonly template: { readonly spec: PodSpec } }
}

interface PodSpec {
  readonly enableServiceLinks?: boolean
  readonly securityContext: { readonly runAsNonRoot: boolean; readonly runAsUser: number }
  readonly containers: readonly {
    readonly args: readonly string[]
    readonly env: readonly { readonly name: string }[]
    readonly resources: { readonly requests: object; readonly limits: object }
    readonly securityContext: object
    readonly readinessProbe?: object
    readonly livenessProbe?: object
  }[]
}

describe('the manifests of Kubernetes', () => {
  const files = readdirSync(join(FOLDER, 'kubernetes/base')).filter((file) => file !== 'kustomization.yaml')
  const all = files.flatMap((file) => parseAllDocuments(textOf(`kubernetes/base/${file}`)).map((each) => each.toJS() as Manifest))

  it('are listed by the base, which sets variables that the service has', () => {
    const { resources, configMapGenerator } = parse(textOf('kubernetes/base/kustomization.yaml')) as {
      resources: string[]
      configMapGenerator: { literals: string[] }[]
    }
    expect(resources.sort()).toEqual(files.sort())
    const set = configMapGenerator.flatMap(({ literals }) => literals.map((literal) => literal.split('=', 1)[0] ?? ''))
    expect(set.filter((name) => !(name in ENVIRONMENT.shape))).toEqual([])
  })

  it('take no variables that the cluster adds for its Services: of one called sftp, an SFTP_PORT that is no port', () => {
    expect(() => readConfig({ SFTP_PORT: 'tcp://10.0.0.1:22' })).toThrow('SFTP_PORT must be a whole number from 1 to 65535')
    expect(all.some(({ kind, metadata }) => kind === 'Service' && metadata.name === 'sftp')).toBe(true)
    const pods = all.filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    const taking = pods.filter(({ spec }) => spec.template.spec.enableServiceLinks !== false)
    expect([pods.length, taking.map(({ metadata }) => metadata.name)]).toEqual([4, []])
  })

  it('call a worker ready when it works, and give its release no name that a rolling update would take away', () => {
    const worker = all.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'worker')
    expect(worker?.spec.template.spec.containers[0]?.readinessProbe).toMatchObject({ httpGet: { path: '/readyz', port: 'metrics' } })
    for (const file of ['compose.yaml', 'kubernetes/base/kustomization.yaml']) expect(textOf(file)).not.toContain('WORKER_BUILD_ID')
  })

  it('run each command as uid 1000 on a read-only root, with requests, limits and probes', () => {
    const running = all.filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    expect(running.map(({ metadata }) => metadata.name).sort()).toEqual(['api', 'migrate', 'sftp', 'worker'])
    for (const { kind, metadata, spec } of running) {
      const { securityContext, containers } = spec.template.spec
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
      for (const { args, env, resources, readinessProbe, livenessProbe, ...container } of containers) {
        expect(args).toEqual([metadata.name])
        expect(env.filter(({ name }) => !(name in ENVIRONMENT.shape))).toEqual([])
        expect(resources).toMatchObject({ requests: { cpu: expect.any(String) }, limits: { memory: expect.any(String) } })
        expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false })
        if (kind === 'Deployment') expect(readinessProbe && livenessProbe).toBeDefined()
      }
    }
    for (const name of ['api', 'worker', 'sftp'])
      expect(all.some((one) => one.kind === 'PodDisruptionBudget' && one.metadata.name === name)).toBe(true)
  })

  withKubectl(
    'are built by kustomize, for Temporal Cloud and for a release of workers too',
    async () => {
      const built = async (folder: string) => (await run('kubectl', 'kustomize', `kubernetes/${folder}`)).stdout
      expect((await built('base')).match(/^kind: /gm)).toHaveLength(all.length + 1)
      expect(await built('overlays/temporal-cloud')).toMatch(/name: TEMPORAL_API_KEY_FILE\n\s+value: \/run\/secrets\/temporal\/api-key/)
      const release = parseAllDocuments(await built('overlays/worker-release')).map((each) => each.toJS() as Manifest)
      const names = release.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.name)
      expect(names.sort()).toEqual(['api', 'sftp', 'worker-1-1-0'])
    },
    60_000,
  )
})
