import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime } from '@temporalio/worker'
import { wake } from '../../../workflows/messages.ts'
import { devServer } from '../../support/engines/temporal.ts'
import { workerProcesses } from '../../support/engines/workerProcesses.ts'
import { type Receiver, startReceiver } from '../../support/http/receiver.ts'
import { checkInvariants } from '../../support/invariants/invariants.ts'
import { until } from '../../support/until.ts'
import { useMarket } from '../../support/useMarket.ts'
import { currentDetails } from '../../workflows/useTimeSkipping.ts'

let env: TestWorkflowEnvironment
const market = useMarket()
let receiver: Receiver
const workers = workerProcesses()
beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
  env = await devServer({ longHistory: LONG })
  receiver = await startReceiver()
}, 60_000)
market.beforeStop(async () => {
  await workers.kill()
  receiver.close()
})
afterAll(async () => {
  await env.teardown()
})

const LONG = 60

const startWorker = () =>
  workers.start({
    DATABASE_URL: market.databaseUrl,
    TEMPORAL_ADDRESS: env.address,
    SECRETS_KEY: market.secretsKey.toString('base64'),
    ALLOW_LOOPBACK_TARGETS: 'true',
  })

const registered = async (): Promise<string> => (await market.acme.post('/webhooks/endpoints', { url: receiver.url })).body.endpoint_id
const deliveries = async (id: string): Promise<{ status: string; attempts: unknown[] }[]> =>
  (await market.acme.get(`/webhooks/endpoints/${id}/deliveries`)).body.items
const allDelivered = (id: string) =>
  until(async () => {
    const items = await deliveries(id)
    return items.length > 0 && items.every(({ status }) => status === 'delivered')
  }, 60)

describe('a worker that is stopped', () => {
  it('ends once the posts that are out are over, which it writes down, and begins no other', async () => {
    const silent = await startReceiver()
    const id = (await market.acme.post('/webhooks/endpoints', { url: silent.url })).body.endpoint_id
    for (let sent = 0; sent < 3; sent += 1) await market.acme.post(`/webhooks/endpoints/${id}/test`, undefined)
    const held = new Promise<() => void>((resolve) => silent.answer((res) => resolve(() => res.writeHead(204).end())))
    const worker = await startWorker()
    const answer = await held
    worker.kill('SIGTERM')
    const ended = once(worker, 'exit')
    await sleep(500)
    expect(worker.exitCode).toBe(null)
    answer()
    const [code] = await ended
    const states = (await deliveries(id)).map(({ status, attempts }) => `${status} ${attempts.length}`)
    expect([code, silent.received.length, states.sort()]).toEqual([0, 1, ['delivered 1', 'pending 0', 'pending 0']])
    await market.acme.delete(`/webhooks/endpoints/${id}`)
    silent.close()
  }, 60_000)
})

describe('deliveries on the engine', () => {
  it('outlive a worker that is killed with one in its hands: it comes again, with the same seq and bytes', async () => {
    const id = await registered()
    const first = await startWorker()
    receiver.answer(() => undefined) // the receiver has it, and the platform does not know
    const order = await market.created()
    await until(() => Promise.resolve(receiver.received.length > 0), 30)
    first.kill('SIGKILL')
    await once(first, 'exit')
    receiver.answer((res) => res.writeHead(204).end())
    await startWorker()
    await until(async () => (await market.snapshot(order)).status === 'seller_review', 30)
    await allDelivered(id)
    const seqs = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(new Set(seqs)).toEqual(new Set([1, 2, 3].map((seq) => `${order}:${seq}`)))
    const repeats = receiver.received.filter(({ headers }) => headers['webhook-id'] === seqs[0])
    expect(repeats.length).toBeGreaterThan(1)
    expect(new Set(repeats.map(({ body }) => body)).size).toBe(1)
    expect(new Set(repeats.map(({ headers }) => headers['webhook-timestamp'])).size).toBeGreaterThan(1)
    expect(await checkInvariants(market.databaseUrl)).toEqual([])
  }, 90_000)

  it('of one endpoint come from one of two workers at a time, each once, and no event starts an activity of its own', async () => {
    await startWorker()
    const id = await registered()
    const before = receiver.received.length
    let open = 0
    let max = 0
    receiver.answer((res) => {
      open += 1
      max = Math.max(max, open)
      setTimeout(() => {
        open -= 1
        res.writeHead(204).end()
      }, 5)
    })
    const PINGS = 40
    for (let sent = 0; sent < PINGS; sent += 1) await market.acme.post(`/webhooks/endpoints/${id}/test`, undefined)
    await allDelivered(id)
    const ids = receiver.received.slice(before).map(({ headers }) => headers['webhook-id'])
    expect([ids.length, new Set(ids).size, max <= 4]).toEqual([PINGS, PINGS, true])
    const run = env.client.workflow.getHandle(`deliver:${id}`)
    expect(await run.result()).toEqual({ at: null, waiting: 0, delivered: PINGS, last_status: 204 })
    const { events } = await run.fetchHistory()
    // A signal that comes before the sender holds the endpoint costs another look, which finds nothing.
    expect(events?.filter((event) => event.activityTaskScheduledEventAttributes).length).toBeLessThanOrEqual(2)
  }, 60_000)

  it('whose endpoint has to wait are left to a run, which shows how many wait', async () => {
    const id = await registered()
    await market.deps.db.pool.query('update webhook_endpoints set secret = $2 where endpoint_id = $1', [id, randomBytes(80)])
    await market.acme.post(`/webhooks/endpoints/${id}/test`, undefined)
    const run = env.client.workflow.getHandle(`deliver:${id}`)
    await until(
      () =>
        currentDetails(run).then(
          (shown) => shown.includes('**1** delivery waits'),
          () => false,
        ),
      30,
    )
    const before = receiver.received.length
    await market.acme.post(`/webhooks/endpoints/${id}/rotate-secret`, undefined)
    await allDelivered(id)
    expect(receiver.received).toHaveLength(before + 1)
  }, 60_000)

  it('are retried', async () => {
    const before = receiver.received.length
    receiver.answer((res) => res.writeHead(receiver.received.length === before + 1 ? 500 : 204).end())
    const id = await registered()
    await market.acme.post(`/webhooks/endpoints/${id}/test`, undefined)
    await allDelivered(id)
    expect((await deliveries(id))[0]?.attempts).toMatchObject([{ status_code: 500 }, { status_code: 204 }])
  }, 60_000)

  it('start a new run when its history has grown long, even if nothing waits', async () => {
    let release = () => {}
    receiver.answer((res) => {
      release = () => res.writeHead(204).end()
    })
    const [id, before] = [await registered(), receiver.received.length]
    await market.acme.post(`/webhooks/endpoints/${id}/test`, undefined)
    await until(() => receiver.received.length > before, 30)
    const run = env.client.workflow.getHandle(`deliver:${id}`)
    const { runId } = await run.describe()
    for (let signals = 0; signals < LONG; signals += 1) await run.signal(wake)
    release()
    await run.result()
    expect((await run.describe()).runId).not.toBe(runId)
    expect(await deliveries(id)).toMatchObject([{ status: 'delivered' }])
  }, 60_000)
})
