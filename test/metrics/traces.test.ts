import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime } from '@temporalio/worker'
import { TRACES_PER_ENDPOINT } from '../../src/config/limits.ts'
import { endProcess } from '../support/childProcesses.ts'
import { devServer } from '../support/engines/temporal.ts'
import { workerProcesses } from '../support/engines/workerProcesses.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/files/temporaryFolder.ts'
import { type ApiProcess, startApiProcess } from '../support/http/apiProcess.ts'
import { type Received, type Receiver, startReceiver } from '../support/http/receiver.ts'
import { type CollectedSpan, type Collector, startCollector } from '../support/metrics/otlpCollector.ts'
import { aCard, aRate } from '../support/orders/published.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
const workers = workerProcesses()
const apis: ApiProcess[] = []
let env: TestWorkflowEnvironment
let folder: TemporaryFolder
let collector: Collector
/** Of the buyer and of the seller. */
let receivers: { acme: Receiver; cable: Receiver }

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
  ;[env, folder, collector] = await Promise.all([devServer(), temporaryFolder(), startCollector()])
  receivers = { acme: await startReceiver(), cable: await startReceiver() }
  for (const name of ['acme', 'cable'] as const) await market[name].post('/webhooks/endpoints', { url: receivers[name].url })
}, 60_000)
market.beforeStop(async () => {
  await workers.kill()
  await Promise.all(apis.map((api) => api.stop()))
  for (const one of [...Object.values(receivers), collector]) one.close()
})
afterAll(async () => {
  await Promise.all([env.teardown(), folder.remove()])
})

/** Sent soon, and given up late: what is given up is lost, and a collector on a busy machine takes its time. */
const traces = () => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_BSP_SCHEDULE_DELAY: '50',
  OTEL_EXPORTER_OTLP_TIMEOUT: '10000',
})
const startWorker = (settings: NodeJS.ProcessEnv, onLine?: (line: Record<string, unknown>) => void) =>
  workers.start(
    {
      DATABASE_URL: market.databaseUrl,
      TEMPORAL_ADDRESS: env.address,
      SECRETS_KEY: market.secretsKey.toString('base64'),
      ALLOW_LOOPBACK_TARGETS: 'true',
      ...settings,
    },
    onLine,
  )
const startApi = async (settings: NodeJS.ProcessEnv, nodeOptions: string[] = []): Promise<ApiProcess> => {
  const api = await startApiProcess(market, { env: settings, nodeOptions })
  apis.push(api)
  return api
}

const aTrace = (flags = '01') => {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
  return { traceId, spanId, header: `00-${traceId}-${spanId}-${flags}` }
}
async function sent(api: ApiProcess, [method, path]: [string, string], token: string, body: string, traceparent?: string) {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    ...(traceparent === undefined ? {} : { traceparent }),
  }
  const reply = await fetch(`${api.baseUrl}${path}`, { method, headers, body })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`)
  return JSON.parse(text)
}
/** The status of a read. */
async function asked(api: ApiProcess, path: string, headers: Record<string, string>): Promise<number> {
  const reply = await fetch(`${api.baseUrl}${path}`, { headers })
  await reply.arrayBuffer()
  return reply.status
}
const placed = async (api: ApiProcess, traceparent?: string, padding = ''): Promise<string> =>
  (await sent(api, ['POST', '/orders'], market.acme.token, JSON.stringify(market.order()) + padding, traceparent)).order_id

/** The posts of one event that a party has got. */
const postsOf = (receiver: Receiver, orderId: string, seq: number): Received[] =>
  receiver.received.filter(({ headers }) => headers['webhook-id'] === `${orderId}:${seq}`)
async function postOf(receiver: Receiver, orderId: string, seq: number): Promise<Received> {
  await until(() => postsOf(receiver, orderId, seq).length > 0, 60)
  return postsOf(receiver, orderId, seq)[0] as Received
}
/** Until it is parked with its seller, and both parties have heard of that. */
async function parked(orderId: string): Promise<Received[]> {
  const parties = [receivers.acme, receivers.cable]
  return (await Promise.all(parties.map((party) => Promise.all([1, 2, 3].map((seq) => postOf(party, orderId, seq)))))).flat()
}

const ofTrace = (traceId: string): CollectedSpan[] => collector.spans.filter((span) => span.traceId === traceId)
/** The names from a span up to the one that came with the request; undefined while one of them has not come. */
function wayOf(spanId: string, { traceId, spanId: root }: { traceId: string; spanId: string }): string[] | undefined {
  if (spanId === root) return []
  const span = ofTrace(traceId).find((one) => one.spanId === spanId)
  const above = span && wayOf(span.parentSpanId, { traceId, spanId: root })
  return span && above && [...above, span.name]
}
async function wholeWayOf(spanId: string, from: { traceId: string; spanId: string }): Promise<string[]> {
  await until(() => wayOf(spanId, from) !== undefined)
  return wayOf(spanId, from) ?? []
}
const spanIdOf = ({ headers }: Received): string => String(headers.traceparent).split('-')[2] ?? ''

const PARTS = ['core', 'sdk-trace', 'sdk-trace-base']

/** Starts an API and a worker that write down what they have loaded. */
async function observed(name: string, settings: NodeJS.ProcessEnv) {
  const probe = join(folder.path, `${name}.cjs`)
  await writeFile(probe, PROBE)
  const files = ['api', 'worker'].map((process) => join(folder.path, `${name}-${process}`)) as [string, string]
  const [api] = await Promise.all([
    startApi({ ...settings, LOADED: files[0] }, ['--require', probe]),
    startWorker({ ...settings, LOADED: files[1], NODE_OPTIONS: `--require ${probe}` }),
  ])
  const read = async (file: string): Promise<string[]> => {
    const since = Date.now()
    let written = { at: 0, loaded: [] as string[] }
    await until(async () => {
      written = JSON.parse(await readFile(file, 'utf8').catch(() => '{"at":0,"loaded":[]}'))
      return name === 'on' ? PARTS.every((part) => written.loaded.includes(part)) : written.at > since
    })
    return written.loaded
  }
  return { api, loaded: () => Promise.all(files.map(read)) }
}

/**
 * prom-client loads the interface of OpenTelemetry, which does nothing by itself. Threads and children get this module too, and no file to write
 * to: what they load is not what their process does.
 */
const PROBE = `
  const { renameSync, writeFileSync } = require('node:fs')
  const file = process.env.LOADED
  delete process.env.LOADED
  const parts = () => Object.keys(require.cache).flatMap((file) => /@opentelemetry\\/((?!api\\/)[^/]+)/.exec(file)?.[1] ?? [])
  const write = () => {
    writeFileSync(file + '.part', JSON.stringify({ at: Date.now(), loaded: [...new Set(parts())] }))
    renameSync(file + '.part', file)
  }
  if (file !== undefined) setInterval(write, 100).unref()`

/** An API, and what it and a worker have loaded; both send traces. */
let api: ApiProcess
let loaded: () => Promise<string[][]>
beforeAll(async () => {
  ;({ api, loaded } = await observed('on', traces()))
}, 60_000)

describe('traces', () => {
  it('go from a request through the log, the relay and the steps of the run to the webhooks of both parties', async () => {
    const from = aTrace()
    const orderId = await placed(api, from.header)
    const posts = await parked(orderId)
    for (const { headers } of posts) expect(headers.traceparent).toMatch(new RegExp(`^00-${from.traceId}-[0-9a-f]{16}-01$`))

    const ways = await Promise.all(posts.map((post) => wholeWayOf(spanIdOf(post), from)))
    expect(ways[0]).toEqual(['POST /v1/orders', 'post webhook'])
    expect(ways[2]?.slice(0, 2)).toEqual(['POST /v1/orders', 'step validate'])
    expect(ways[2]?.slice(-2)).toEqual(['append events', 'post webhook'])
    expect(new Set(posts.map(spanIdOf)).size).toBe(posts.length)

    const carried = () => ofTrace(from.traceId).find(({ name }) => name === 'carry order')
    await until(() => carried() !== undefined)
    expect(await wholeWayOf(carried()?.spanId ?? '', from)).toEqual(['POST /v1/orders', 'carry order'])
    const services = new Map(ofTrace(from.traceId).map(({ name, service }) => [name, service]))
    expect(Object.fromEntries(services)).toMatchObject({
      'POST /v1/orders': 'order-marketplace-api',
      'carry order': 'order-marketplace-worker',
      'step validate': 'order-marketplace-worker',
      'append events': 'order-marketplace-worker',
      'post webhook': 'order-marketplace-worker',
    })
    const attributes = ofTrace(from.traceId).flatMap((span) => Object.keys(span.attributes))
    expect([...new Set(attributes)].sort()).toEqual([
      'http.request.method',
      'http.response.status_code',
      'http.route',
      'marketplace.event_id',
      'marketplace.order_id',
    ])
  }, 120_000)

  it('of a command are those of the events that it caused, and not of the events before', async () => {
    const [created, decided] = [aTrace(), aTrace()]
    const orderId = await placed(api, created.header)
    await parked(orderId)
    const decision = JSON.stringify({ decision: 'approve', actor: 'Ada' })
    await sent(api, ['POST', `/me/orders/${orderId}/decide`], market.cable.token, decision, decided.header)
    const post = await postOf(receivers.acme, orderId, 4)
    expect(post.headers.traceparent).toContain(decided.traceId)
    expect(await wholeWayOf(spanIdOf(post), decided)).toEqual(['POST /v1/me/orders/:order_id/decide', 'append events', 'post webhook'])
  }, 120_000)

  it('go on through a thread that reads a large body', async () => {
    const from = aTrace()
    const [post] = await parked(await placed(api, from.header, ' '.repeat(70_000)))
    expect(await wholeWayOf(spanIdOf(post as Received), from)).toEqual(['POST /v1/orders', 'post webhook'])
  }, 120_000)

  it('of a publish reach no subscriber', async () => {
    const from = aTrace()
    const card = JSON.stringify(aCard('july', [aRate('prime')], { effective: { start: '2030-07-01', end: '2030-07-28' } }))
    await sent(api, ['PUT', '/me/rate-cards'], market.cable.token, card, from.header)
    const told = () => receivers.acme.received.find(({ body }) => body.includes('catalog.rate_card_published') && body.includes('july'))
    await until(() => told() !== undefined, 60)
    expect(told()?.headers).not.toHaveProperty('traceparent')
    await until(() => ofTrace(from.traceId).length > 0)
    expect(ofTrace(from.traceId).map(({ name }) => name)).toEqual(['PUT /v1/me/rate-cards'])
  }, 120_000)

  const { traceId, spanId } = aTrace()
  it.each([
    ['words', 'mine'],
    ['no version that there is', `ff-${traceId}-${spanId}-01`],
    ['no trace', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['no span', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['capitals', `00-${traceId.toUpperCase().replace(/[0-9]/, 'A')}-${spanId}-01`],
    ['more than there is to say', `00-${traceId}-${spanId}-01-x`],
    ['two', `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`],
    ['thousands of characters', `00-${traceId}${'a'.repeat(4_000)}-${spanId}-01`],
  ])(
    'begin with the request where its traceparent is %s',
    async (_, traceparent) => {
      const post = await postOf(receivers.acme, await placed(api, traceparent), 1)
      const [version, own = ''] = String(post.headers.traceparent).split('-')
      expect([version, own.length]).toEqual(['00', 32])
      expect(own).not.toBe(traceId)
      await until(() => ofTrace(own).some(({ name }) => name === 'POST /v1/orders'))
      expect(ofTrace(own).find(({ name }) => name === 'POST /v1/orders')?.parentSpanId).toBe('')
    },
    60_000,
  )

  it('are not recorded where their sender does not record them, and say so to receivers', async () => {
    const unrecorded = aTrace('00')
    const orderId = await placed(api, unrecorded.header)
    const posts = await parked(orderId)
    for (const { headers } of posts) expect(headers.traceparent).toMatch(new RegExp(`^00-${unrecorded.traceId}-[0-9a-f]{16}-00$`))
    const after = aTrace()
    await parked(await placed(api, after.header))
    await until(() => ofTrace(after.traceId).some(({ name }) => name === 'post webhook')) // what came before would have come by now
    expect(ofTrace(unrecorded.traceId)).toEqual([])
  }, 120_000)

  it('are sampled as OTEL_TRACES_SAMPLER says', async () => {
    const sampling = await startApi({ ...traces(), OTEL_TRACES_SAMPLER: 'parentbased_always_off' })
    const [post] = await parked(await placed(sampling))
    const [, own = '', , flags] = String(post?.headers.traceparent).split('-')
    expect([own.length, flags, ofTrace(own)]).toEqual([32, '00', []])
  }, 120_000)

  it('are recorded of so many requests to each endpoint by default, and of all where OTEL_TRACES_SAMPLER says so', async () => {
    const [limited, unlimited] = await Promise.all([
      startApi(traces()),
      startApi({ ...traces(), OTEL_TRACES_SAMPLER: 'parentbased_always_on' }),
    ])
    const requests = 80
    const { perSecond, burst } = TRACES_PER_ENDPOINT
    const recordedOf = async (on: ApiProcess, path: string) => {
      const sent = Array.from({ length: requests }, () => aTrace())
      const authorization = `Bearer ${market.acme.token}`
      const began = performance.now()
      await Promise.all(sent.map(({ header }) => asked(on, path, { authorization, traceparent: header })))
      const seconds = Math.ceil((performance.now() - began) / 1_000)
      return { seconds, recorded: () => sent.filter(({ traceId }) => ofTrace(traceId).length > 0).length }
    }
    const [orders, catalogs, all] = [
      await recordedOf(limited, '/orders'),
      await recordedOf(limited, '/sellers'),
      await recordedOf(unlimited, '/orders'),
    ]
    await until(() => all.recorded() === requests && orders.recorded() >= burst && catalogs.recorded() >= burst)
    expect(orders.recorded()).toBeLessThanOrEqual(burst + perSecond * orders.seconds)
    expect(catalogs.recorded()).toBeLessThanOrEqual(burst + perSecond * catalogs.seconds)
  }, 120_000)

  it('hold no credential and nothing that tenants write', async () => {
    const order = market.order({ buyer_metadata: { advertiser_id: 'adv-written-by-a-tenant' } })
    const from = aTrace()
    const { order_id } = await sent(api, ['POST', '/orders'], market.acme.token, JSON.stringify(order), from.header)
    await parked(order_id)
    await until(() => ofTrace(from.traceId).some(({ name }) => name === 'post webhook'))
    const bytes = collector.bytes()
    const written = [...[market.acme, market.cable].map(({ token }) => token), 'adv-written-by-a-tenant', order.external_order_id, 'Bearer']
    expect(written.filter((text) => bytes.includes(text))).toEqual([])
    expect(bytes.includes(order_id)).toBe(true) // what is looked for would be found
  }, 120_000)

  it('name requests by their endpoint', async () => {
    const from = aTrace()
    expect(await asked(api, '/orders/ord_of-nobody', { authorization: `Bearer ${market.acme.token}`, traceparent: from.header })).toBe(404)
    await until(() => ofTrace(from.traceId).length > 0)
    expect(ofTrace(from.traceId).map(({ name, attributes, hasFailed }) => [name, attributes, hasFailed])).toEqual([
      [
        'GET /v1/orders/:order_id',
        { 'http.request.method': 'GET', 'http.route': '/v1/orders/:order_id', 'http.response.status_code': 404 },
        false,
      ],
    ])
  })

  it('are not made of requests of strangers, beyond a rate, or to no endpoint', async () => {
    const limited = await startApi({ ...traces(), RATE_LIMIT_REQUESTS: '1/1' })
    const refused: string[] = []
    const send = async (path: string, credential: Record<string, string>) => {
      const { traceId, header } = aTrace()
      const status = await asked(limited, path, { ...credential, traceparent: header })
      if (status !== 200) refused.push(traceId)
      return { status, traceId }
    }
    const known = { authorization: `Bearer ${market.acme.token}` }
    const strangers = [{}, { authorization: 'Bearer nobody' }, { authorization: 'Basic YTpi' }]
    for (const stranger of strangers) expect((await send('/orders', stranger)).status).toBe(401)
    expect((await send('/nothing/here', known)).status).toBe(404)
    await until(async () => (await Promise.all([1, 2, 3].map(() => send('/orders', known)))).some(({ status }) => status === 429))
    let served: string | undefined
    await until(async () => {
      const { status, traceId } = await send('/orders', known)
      if (status === 200) served = traceId
      return status === 200
    })
    await until(() => ofTrace(served ?? '').length > 0) // what came before would have come by now
    expect(collector.spans.filter(({ traceId }) => refused.includes(traceId))).toEqual([])
  }, 60_000)
})

describe('a collector', () => {
  beforeAll(workers.kill)

  it('that is away harms nothing, is named in the log once, and once when it is back', async () => {
    const said: unknown[] = []
    collector.behave('resets')
    const settings = { ...traces(), OTEL_EXPORTER_OTLP_TIMEOUT: '500' }
    const [api, worker] = await Promise.all([
      startApi(settings),
      startWorker({ ...settings, LOG_LEVEL: 'info' }, ({ msg }) => said.push(msg)),
    ])
    const before = collector.asked()
    while (collector.asked() < before + 10) await parked(await placed(api, aTrace().header))
    await until(() => said.some((line) => /^traces cannot be sent/.test(String(line))))
    collector.behave('takes')
    while (!said.includes('traces are sent again')) await parked(await placed(api, aTrace().header))
    expect(said.filter((line) => /traces/.test(String(line))).slice(0, 2)).toEqual([
      'traces cannot be sent; they are dropped until they can',
      'traces are sent again',
    ])
    expect(await endProcess(worker, 'SIGTERM')).toBe(0)
  }, 180_000)

  it('gets what is left of a process that stops', async () => {
    const late = { ...traces(), OTEL_BSP_SCHEDULE_DELAY: '3600000' }
    const worker = await startWorker(late)
    const from = aTrace()
    await parked(await placed(api, from.header))
    await until(() => ofTrace(from.traceId).length > 0)
    const names = () => ofTrace(from.traceId).map(({ name }) => name)
    expect(names()).not.toContain('post webhook')
    expect(await endProcess(worker, 'SIGTERM')).toBe(0)
    expect(names()).toEqual(expect.arrayContaining(['carry order', 'step validate', 'append events', 'post webhook']))
  }, 120_000)

  it('that takes and never answers holds no process up', async () => {
    const patient = {
      ...traces(),
      OTEL_BSP_SCHEDULE_DELAY: '3600000',
      OTEL_EXPORTER_OTLP_TIMEOUT: '3600000',
      OTEL_BSP_EXPORT_TIMEOUT: '3600000',
    }
    const worker = await startWorker(patient)
    await parked(await placed(api, aTrace().header))
    collector.behave('hangs')
    const before = collector.asked()
    expect(await endProcess(worker, 'SIGTERM')).toBe(0)
    expect(collector.asked()).toBeGreaterThan(before)
    collector.behave('takes')
  }, 120_000)
})

describe('without OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  beforeAll(workers.kill)

  it('no part of the library is loaded, and nothing is kept or sent', async () => {
    const off = await observed('off', {})
    const orderId = await placed(off.api, aTrace().header)
    const posts = await parked(orderId)
    for (const { headers } of posts) expect(headers).not.toHaveProperty('traceparent')
    const { rows } = await market.owner().query('select traceparent from order_events where order_id = $1', [orderId])
    expect(rows).toEqual(posts.slice(0, 3).map(() => ({ traceparent: null })))
    expect(await off.loaded()).toEqual([[], []])
    for (const parts of await loaded()) expect(parts).toEqual(expect.arrayContaining(PARTS))
  }, 300_000)
})
