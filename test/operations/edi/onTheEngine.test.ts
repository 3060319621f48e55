import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime } from '@temporalio/worker'
import pg from 'pg'
import { runIdOf } from '../../../worker/runs.ts'
import { ORDER_ATTRIBUTES } from '../../../workflows/searchAttributes.ts'
import { type MailServer, readMail, startMailServer } from '../../support/edi/mailServer.ts'
import { FROM, orderMail, smtpMailer, TO } from '../../support/edi/orderMail.ts'
import { startedRun } from '../../support/engines/orderRun.ts'
import { devServer } from '../../support/engines/temporal.ts'
import { workerProcesses } from '../../support/engines/workerProcesses.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/files/temporaryFolder.ts'
import { until } from '../../support/until.ts'
import { useMarket } from '../../support/useMarket.ts'
import { storyOf } from '../../workflows/storyOf.ts'

const market = useMarket()
const workers = workerProcesses()
let env: TestWorkflowEnvironment
let folder: TemporaryFolder
let server: MailServer
let mail: ReturnType<typeof orderMail>

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
  env = await devServer()
  folder = await temporaryFolder()
  server = await startMailServer()
  mail = orderMail(market, smtpMailer(server.port))
}, 60_000)
market.beforeStop(async () => {
  await workers.kill()
  await mail.stop()
})
afterAll(async () => {
  await workers.kill()
  await server.stop()
  await folder.remove()
  await env.teardown()
})

const startWorker = (more: NodeJS.ProcessEnv = {}) =>
  workers.start({
    DATABASE_URL: market.databaseUrl,
    TEMPORAL_ADDRESS: env.address,
    SECRETS_KEY: market.secretsKey.toString('base64'),
    DATA_DIR: folder.path,
    SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    SMTP_TLS: 'off',
    MAIL_FROM: FROM,
    ...more,
  })
const killed = async (worker: Awaited<ReturnType<typeof startWorker>>) => {
  worker.kill('SIGKILL')
  await once(worker, 'exit')
}
/** As the seller's decision leaves it: the order's workflow does the rest. */
const placed = (agreement_id: string) => market.placed({ agreement_id })
const isSent = (agreement: string) =>
  until(async () => {
    const all = await mail.messages(agreement)
    return all.length > 0 && all.every(({ status }) => status === 'sent')
  }, 90)
const shownBy = async (agreement: string, key: (typeof ORDER_ATTRIBUTES)['OrderStuckReason' | 'OrderSeller' | 'OrderBuyer']) =>
  (await env.client.workflow.getHandle(runIdOf('mail', agreement)).describe()).typedSearchAttributes.get(key)
/** What a run waits for comes now: its mail is due, and the lease of a worker that died is over. */
const wakeNow = async (agreement: string) => {
  await mail.takeOver()
  await market.owner().query(`insert into outbox (kind, target) values ('mail', $1)`, [agreement])
}

const WAITING = `from pg_stat_activity where wait_event = 'relation' and datname = current_database()`

/** The worker with a mail server that the last test has left. */
let running: Awaited<ReturnType<typeof startWorker>> | undefined

describe('a worker that is killed', () => {
  it('after DATA and before the reply sends the identical bytes again, under the same Message-ID', async () => {
    await mail.agree('agr-cut')
    server.treat(() => 'hang')
    const worker = await startWorker()
    await placed('agr-cut')
    await until(() => server.read.length === 1, 60)
    await killed(worker)
    server.treat(() => 'accept')
    const next = await startWorker()
    await wakeNow('agr-cut')
    await isSent('agr-cut')
    expect(server.taken).toEqual([server.read[0]])
    const [message] = await mail.messages('agr-cut')
    expect((await readMail(server.taken[0] as { raw: Buffer })).messageId).toBe(`<${message?.message_ref}>`)
    expect(message?.attempts).toBe(2)
    running = next
  }, 180_000)

  it('after the server has accepted and before that is written sends the identical bytes again', async () => {
    server.taken.length = 0
    await mail.agree('agr-unwritten')
    running ??= await startWorker()
    const lock = new pg.Client({ connectionString: market.databaseUrl })
    lock.on('error', () => undefined) // of a test that has failed
    await lock.connect()
    await lock.query('begin; lock table edi_attempts in exclusive mode')
    await placed('agr-unwritten')
    // Another connection looks: a transaction goes on seeing the connections of its first look.
    await until(async () => (await market.owner().query(`select ${WAITING}`)).rowCount === 1, 60)
    expect(server.taken).toHaveLength(1)
    await killed(running)
    // What the dead worker has sent to the database would be carried out as soon as the lock is free.
    expect((await market.owner().query(`select pg_terminate_backend(pid) ${WAITING}`)).rowCount).toBe(1)
    await lock.end()
    running = await startWorker()
    await wakeNow('agr-unwritten')
    await isSent('agr-unwritten')
    const [first, second, ...more] = server.taken
    expect([second, more]).toEqual([first, []])
  }, 180_000)
})

describe('a mail server that is away', () => {
  it('is shown by the run from the third miss on, and its mails go when it is back', async () => {
    running ??= await startWorker()
    await server.stop()
    await mail.agree('agr-away')
    await placed('agr-away')
    await startedRun(env.client, runIdOf('mail', 'agr-away'), 60)
    for (let miss = 1; miss <= 3; miss += 1) {
      await until(async () => (await mail.messages('agr-away'))[0]?.attempts === miss && (await isWaiting('agr-away')), 60)
      if (miss === 3) break
      expect(await shownBy('agr-away', ORDER_ATTRIBUTES.OrderStuckReason)).toBeUndefined()
      await wakeNow('agr-away')
    }
    await until(async () => (await shownBy('agr-away', ORDER_ATTRIBUTES.OrderStuckReason)) === 'mail:connect', 30)
    expect(await shownBy('agr-away', ORDER_ATTRIBUTES.OrderSeller)).toBe('cable')
    expect(await shownBy('agr-away', ORDER_ATTRIBUTES.OrderBuyer)).toBe('acme')

    server = await startMailServer(server.port)
    await wakeNow('agr-away')
    await isSent('agr-away')
    expect(server.taken.map(({ to }) => to)).toEqual([[TO]])
    const run = env.client.workflow.getHandle(runIdOf('mail', 'agr-away'))
    await run.result()
    const story = storyOf((await run.fetchHistory()).events ?? [])
    expect(story.filter((line) => line === 'step send mails: failed (mail:connect)')).toHaveLength(3)
    // What the run shows may be cleared before or after its last step.
    expect(story.filter((line) => !line.startsWith('stuck')).slice(-2)).toEqual(['step send mails', expect.stringContaining('"sent":1')])
    await killed(running)
  }, 180_000)

  /** The attempt has ended. */
  const isWaiting = async (agreement: string) => (await mail.messages(agreement))[0]?.leased_until === null
})

describe('a worker without a mail server', () => {
  it('leaves what waits alone, and the first worker that has one sends it', async () => {
    server.taken.length = 0
    await mail.agree('agr-later')
    await mail.placed('agr-later')
    await market.owner().query(`delete from outbox where target = 'agr-later'`)
    await market.owner().query(`update edi_messages set due_at = now() - interval '1 hour' where agreement_id = 'agr-later'`)
    const without = await startWorker({ SMTP_URL: '', SMTP_TLS: '', MAIL_FROM: '' })
    // The order is closed by a run, so the worker has looked at what stands still before.
    const order_id = await market.placed()
    await until(
      async () => (await market.owner().query('select from orders where order_id = $1 and closed', [order_id])).rowCount === 1,
      60,
    )
    await expect(env.client.workflow.getHandle(runIdOf('mail', 'agr-later')).describe()).rejects.toThrow('not found')
    await killed(without)
    const next = await startWorker()
    await isSent('agr-later')
    expect(server.taken).toHaveLength(1)
    await killed(next)
  }, 180_000)
})
