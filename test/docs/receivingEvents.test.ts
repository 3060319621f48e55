import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { openQueueBroker, type QueueBroker } from '../../src/adapters/queue/tenantQueue.ts'
import { startQueuePublisher } from '../../worker/publishQueues.ts'
import { hasRabbit, type Rabbit, startRabbit } from '../support/engines/rabbit.ts'
import { type Running, runSample, samplesIn } from '../support/files/samples.ts'
import { temporaryFolder } from '../support/files/temporaryFolder.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'

const PAGE = 'docs/buy/receiving-events.md'
const market = useMarket()
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let running: Running[] = []
afterEach(async () => {
  for (const sample of running) sample.process.kill('SIGKILL')
  running = []
  await folder.remove()
})

const run = async (...of: Parameters<typeof runSample>) => {
  const sample = await runSample(...of)
  running.push(sample)
  return sample
}

describe.each(['js', 'python'] as const)('the reader of the feed in %s', (language) => {
  const start = async (env: NodeJS.ProcessEnv = {}) => {
    const [source = ''] = await samplesIn(PAGE, language, 2)
    return run(language, source, folder.path, {
      BASE: market.baseUrl,
      TOKEN: market.acme.token,
      CURSOR_FILE: join(folder.path, 'cursor'),
      ...env,
    })
  }
  beforeEach(async () => {
    folder = await temporaryFolder()
  })
  const ordersOf = (sample: Running) => new Set(sample.lines().map((line) => JSON.parse(line).order_id))

  it('returns every event, and continues after its cursor', async () => {
    const first = await market.created()
    const reader = await start()
    await until(() => ordersOf(reader).has(first), 20)
    const second = await market.created()
    await until(() => ordersOf(reader).has(second), 20)
    await until(async () => (await readFile(join(folder.path, 'cursor'), 'utf8').catch(() => '')) !== '')
    reader.process.kill('SIGKILL')
    await reader.ended
    const third = await market.created()
    const next = await start()
    await until(() => ordersOf(next).has(third), 20)
    expect(ordersOf(next).has(first)).toBe(false)
  })

  it('stops with the reason at a 401 and at a 422', async () => {
    const revoked = await start({ TOKEN: 'omp_test_nothing' })
    expect(await revoked.ended).toBe(1)
    expect(revoked.errors()).toMatch(/^401 UNAUTHENTICATED: ./)
    await writeFile(join(folder.path, 'cursor'), 'of-other-filters')
    const refused = await start()
    expect(await refused.ended).toBe(1)
    expect(refused.errors()).toMatch(/^422 INVALID_INPUT: ./)
  })

  it('asks again after a 429, a 503 and a connection that breaks', async () => {
    const answers = [429, 503, 0]
    const proxy = await proxyOf(market.baseUrl, answers)
    const order = await market.created()
    const reader = await start({ BASE: proxy.url })
    await until(() => ordersOf(reader).has(order), 30)
    expect(answers).toEqual([])
    proxy.server.closeAllConnections()
    proxy.server.close()
  })
})

/** Gives these answers first, 0 for none at all, and then what the API gives. */
async function proxyOf(baseUrl: string, answers: number[]): Promise<{ url: string; server: Server }> {
  const server = createServer((req, res) => {
    const status = answers.shift()
    if (status === 0) return res.destroy()
    if (status !== undefined)
      return res.writeHead(status, { 'retry-after': status === 429 ? '1' : '0', 'content-type': 'application/json' }).end('{}')
    const headers = { authorization: String(req.headers.authorization) }
    return fetch(`${new URL(baseUrl).origin}${req.url}`, { headers })
      .then(async (reply) => res.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text()))
      .catch(() => res.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, server }
}

const hasPika = (() => {
  try {
    execFileSync('python3', ['-c', 'import pika'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

;(hasRabbit ? describe : describe.skip)('the consumers of the queue', () => {
  let rabbit: Rabbit
  let broker: QueueBroker
  let publisher: ReturnType<typeof startQueuePublisher>
  beforeAll(async () => {
    rabbit = await startRabbit()
    broker = openQueueBroker(rabbit.url)
  }, 180_000)
  const withBroker = useMarket(() => ({ broker }))
  withBroker.beforeStop(() => publisher.stop())
  beforeAll(() => {
    const logger = { info: () => undefined, warn: () => undefined }
    publisher = startQueuePublisher({ db: withBroker.deps.db, amqpUrl: rabbit.url, logger })
  })
  afterAll(async () => {
    broker.close()
    await rabbit.remove()
  })
  beforeEach(async () => {
    folder = await temporaryFolder()
  })

  it.each([
    ['js', true],
    ['python', hasPika],
  ] as const)('in %s print each event once (run: %s; without its library it is compiled)', async (language, isRun) => {
    const [, source = ''] = await samplesIn(PAGE, language, 2)
    if (!isRun) {
      await writeFile(join(folder.path, 'sample.py'), source)
      execFileSync('python3', ['-m', 'py_compile', join(folder.path, 'sample.py')])
      return
    }
    const { body } = await withBroker.acme.put('/events/queue', { events: ['order.status_changed'] })
    const consumer = await run(language, source, folder.path, { AMQP_URL: rabbit.url, QUEUE: body.queue })
    const order = await withBroker.placed()
    await until(() => consumer.lines().filter((line) => line.startsWith(order)).length === 4, 30)
    expect(
      consumer
        .lines()
        .filter((line) => line.startsWith(order))
        .map((line) => line.split(' ')[0]),
    ).toEqual([1, 2, 3, 4].map((seq) => `${order}:${seq}`))
    expect(consumer.errors()).toBe('')
  })
})
