import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client'
import { startTemporal, type Temporal } from '../../src/local/embedded/temporal.ts'
import { findTemporal } from '../../src/local/embedded/temporalBinary.ts'
import { readOpsHealth } from '../../src/store/ops/opsHealth.ts'
import { readHead } from '../../src/store/orders/orderHead.ts'
import { runIdOf } from '../../worker/runs.ts'
import { type MailServer, startMailServer } from '../support/edi/mailServer.ts'
import { FROM, type OrderMail, orderMail, smtpMailer } from '../support/edi/orderMail.ts'
import { workerProcesses } from '../support/engines/workerProcesses.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/files/temporaryFolder.ts'
import { freePorts } from '../support/freePorts.ts'
import { type Receiver, startReceiver } from '../support/http/receiver.ts'
import { scrape } from '../support/metrics/scrape.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'

/** One worker that is never restarted, and a Temporal that is taken from it in every way that operators meet. */

const NAMESPACE = 'market'
/** In seconds: the time within which the gauge and the health of the marketplace say what is true. */
const TRUE_WITHIN = 15
/**
 * In seconds, after Temporal answers again: with its runs, and without them. The first is five, and some for a task that was on its way when
 * Temporal was lost: it is tried again after five seconds.
 */
const [GOES_ON_WITHIN, HAS_RUNS_WITHIN] = [8, 90]
/** In seconds: the figures are read every fifteen seconds, and one read takes a moment. */
const FIGURES_WITHIN = 20
/** A sentence by each part that notices, where thousands of lines were once. */
const MAX_LINES = 12

const market = useMarket()
const workers = workerProcesses()
const said: Record<string, unknown>[] = []
let folder: TemporaryFolder
let temporal: Temporal
let client: Client
let receiver: Receiver
let mailServer: MailServer
let mail: OrderMail & { stop(): Promise<void> }
let metrics: number
let endpoint: string

const startEngine = async (port?: number) => {
  const { path } = await findTemporal({ onProgress: () => undefined })
  temporal = await startTemporal({ binary: path, dataDir: folder.path, namespace: NAMESPACE, port })
}

beforeAll(async () => {
  folder = await temporaryFolder()
  await startEngine()
  client = new Client({ connection: await Connection.connect({ address: temporal.address }), namespace: NAMESPACE })
  receiver = await startReceiver()
  mailServer = await startMailServer()
  mail = orderMail(market, smtpMailer(mailServer.port))
  await mail.agree('agr-mail')
  endpoint = (await market.acme.post('/webhooks/endpoints', { url: receiver.url })).body.endpoint_id
  metrics = await freePorts(2)
  await startWorker()
}, 120_000)
const startWorker = (more: NodeJS.ProcessEnv = {}) => {
  const settings = {
    DATABASE_URL: market.databaseUrl,
    DATA_DIR: market.dataDir,
    SECRETS_KEY: market.secretsKey.toString('base64'),
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: NAMESPACE,
    ALLOW_LOOPBACK_TARGETS: 'true',
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    SMTP_TLS: 'off',
    MAIL_FROM: FROM,
    METRICS_PORT: String(metrics),
    METRICS_HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    ...more,
  }
  return workers.start(settings, (line) => said.push(line))
}
market.beforeStop(async () => {
  await workers.kill()
  await mail.stop()
})
afterAll(async () => {
  await client.connection.close()
  await temporal.stop()
  receiver.close()
  await mailServer.stop()
  await folder.remove()
}, 60_000)

const statusOf = async (order: string) => (await market.snapshot(order)).status
const inReview = (order: string, seconds: number) => until(async () => (await statusOf(order)) === 'seller_review', seconds)
const isClosed = async (order: string) => (await readHead(market.deps.db, order))?.closed === true
const approve = async (order: string) =>
  expect((await market.cable.post(`/me/orders/${order}/decide`, { decision: 'approve', actor: 'Ada' })).status).toBe(202)
const isRunning = (order: string) =>
  client.workflow
    .getHandle(runIdOf('order', order))
    .describe()
    .then(
      ({ status }) => status.name === 'RUNNING',
      (error) => {
        if (error instanceof WorkflowNotFoundError) return false
        throw error
      },
    )
const shown = async () => (await scrape(metrics)).get('temporal_reachable')
const healthy = async () => (await readOpsHealth(market.deps.db)).temporal.reachable
const ordersShown = async () => {
  const figures = [...(await scrape(metrics))].filter(([name]) => name.startsWith('orders{'))
  return figures.reduce((sum, [, count]) => sum + count, 0)
}
const says = (isThere: boolean) => until(async () => (await shown()) === Number(isThere) && (await healthy()) === isThere, TRUE_WITHIN)
const untilDelivered = (seconds: number) =>
  until(async () => {
    const { items } = (await market.acme.get(`/webhooks/endpoints/${endpoint}/deliveries?limit=200`)).body
    return items.every(({ status }: { status: string }) => status === 'delivered')
  }, seconds)
const mailed = (seconds: number) => until(async () => (await mail.messages('agr-mail')).every(({ status }) => status === 'sent'), seconds)

/** Expects that the receiver got every event of these orders once, in order. */
async function expectEachOnce(orders: readonly string[]): Promise<void> {
  for (const order of orders) {
    const ids = receiver.received.map(({ headers }) => String(headers['webhook-id'])).filter((id) => id.startsWith(`${order}:`))
    expect(ids).toEqual((await market.events(order)).map(({ seq }) => `${order}:${seq}`))
  }
}

/** Takes Temporal away and gives it back, with open work of each kind before and in between. */
async function walk(lose: () => Promise<unknown>, restore: () => Promise<unknown>, within: number): Promise<void> {
  const before = [await market.created(), await market.created(), await market.created({ agreement_id: 'agr-mail' })] as const
  const [stays, decided, mails] = before
  for (const order of before) await inReview(order, 30)
  // A mail of an order that has ended waits for its next attempt.
  mailServer.treat(() => ({ responseCode: 451 }))
  await approve(mails)
  await until(
    async () =>
      (await isClosed(mails)) && (await mail.messages('agr-mail')).some(({ attempts, status }) => attempts > 0 && status === 'queued'),
    30,
  )
  await untilDelivered(30)
  const from = said.length

  await lose()
  const meanwhile = await market.created()
  await approve(decided)
  expect([await statusOf(meanwhile), await statusOf(decided)]).toEqual(['submitted', 'placed'])
  await says(false)
  mailServer.treat(() => 'accept')
  await mail.makeDue()
  // Its run, if it has one, waits for the time that was; a new run asks.
  if (within === GOES_ON_WITHIN) await market.owner().query(`insert into outbox (kind, target) values ('mail', 'agr-mail')`)
  await restore()
  await inReview(meanwhile, within)
  await until(() => isClosed(decided), within)
  await untilDelivered(within)
  await mailed(HAS_RUNS_WITHIN)
  await until(async () => (await isRunning(stays)) && (await isRunning(meanwhile)), HAS_RUNS_WITHIN)
  await says(true)
  await expectEachOnce([...before, meanwhile])
  // A busy machine says more, which is not of Temporal.
  const lines = said.slice(from).flatMap(({ msg }) => (msg === 'the event loop was held up' ? [] : [msg]))
  expect(lines.length > MAX_LINES ? lines : []).toEqual([])
}

describe('orders, deliveries and mails wait for Temporal and go on', () => {
  it('when it was stopped for a while', async () => {
    const stopped = async () => {
      await temporal.stop()
      await sleep(10_000) // the worker's calls rest ever longer between two tries
    }
    await walk(stopped, () => startEngine(temporal.port), GOES_ON_WITHIN)
  }, 240_000)

  it('when it was killed', async () => {
    await walk(
      async () => process.kill(temporal.pid, 'SIGKILL'),
      () => startEngine(temporal.port),
      GOES_ON_WITHIN,
    )
  }, 240_000)

  it('when it was frozen, while the figures of the database stay new', async () => {
    const frozen = async () => {
      process.kill(temporal.pid, 'SIGSTOP')
      await says(false)
      const before = await ordersShown()
      await market.created()
      await until(async () => (await ordersShown()) > before, FIGURES_WITHIN)
    }
    await walk(frozen, async () => process.kill(temporal.pid, 'SIGCONT'), GOES_ON_WITHIN)
  }, 240_000)

  it('when its namespace was deleted, and an operator made it anew', async () => {
    const { operatorService, workflowService } = client.connection
    const made = { namespace: NAMESPACE, workflowExecutionRetentionPeriod: { seconds: 86_400 } as never }
    await walk(
      () => operatorService.deleteNamespace({ namespace: NAMESPACE }),
      () => workflowService.registerNamespace(made),
      HAS_RUNS_WITHIN,
    )
    expect(said.map(({ msg }) => msg)).toContainEqual(
      expect.stringContaining(`temporal operator namespace create --namespace ${NAMESPACE}`),
    )
  }, 300_000)

  it('when its data were emptied', async () => {
    const emptied = async () => {
      await temporal.stop()
      for (const end of ['', '-wal', '-shm']) await rm(join(folder.path, `temporal.db${end}`), { force: true })
    }
    await walk(emptied, () => startEngine(temporal.port), HAS_RUNS_WITHIN)
  }, 300_000)

  it('when somebody removed its search attributes', async () => {
    await client.connection.operatorService.removeSearchAttributes({
      namespace: NAMESPACE,
      searchAttributes: ['OrderSeller', 'OrderStatus'],
    })
    const order = await market.created()
    await inReview(order, HAS_RUNS_WITHIN)
    await until(() => isRunning(order), HAS_RUNS_WITHIN)
  }, 120_000)

  it('when a worker of a release starts before an operator has made its namespace, which is then made anew', async () => {
    await workers.kill()
    const from = said.length
    const starting = startWorker({ TEMPORAL_NAMESPACE: 'later', WORKER_BUILD_ID: '1.0.0' })
    await until(() => said.slice(from).some(({ msg }) => String(msg).includes('temporal operator namespace create --namespace later')), 60)
    await says(false)
    const made = () =>
      client.connection.workflowService.registerNamespace({
        namespace: 'later',
        workflowExecutionRetentionPeriod: { seconds: 86_400 } as never,
      })
    await made()
    const first = await market.created()
    await starting
    await inReview(first, HAS_RUNS_WITHIN)
    await client.connection.operatorService.deleteNamespace({ namespace: 'later' })
    await made() // before the worker has seen that it was gone, if need be
    await inReview(await market.created(), HAS_RUNS_WITHIN)
  }, 300_000)
})
