import { join } from 'node:path'
import { Client } from '@temporalio/client'
import { NativeConnection, Runtime, Worker } from '@temporalio/worker'
import pino, { type Logger } from 'pino'
import { ENDPOINTS_AT_ONCE, openWebhookDispatcher } from '../activities/deliveries.ts'
import { documentActivities } from '../activities/documents.ts'
import { holdActivities } from '../activities/holds.ts'
import { housekeepingActivities } from '../activities/housekeeping.ts'
import { orderActivities } from '../activities/orders.ts'
import { directoryStorage } from '../src/adapters/objectStorage.ts'
import { createOutboundClient } from '../src/adapters/outboundCall.ts'
import { secretsKeys } from '../src/adapters/secretsKey.ts'
import { ConfigFault, readConfig } from '../src/config.ts'
import { DELIVERIES_QUEUE, DOCUMENTS_QUEUE, SLOW_DELIVERIES_QUEUE } from '../src/contract/vocabulary.ts'
import { openDatabase } from '../src/store/connection/database.ts'
import { databaseFault, isDatabaseAway } from '../src/store/connection/databaseFault.ts'
import { setSightKey, sightKey } from '../src/store/connection/sightKey.ts'
import { openOrderLog } from '../src/store/orders/orderLog.ts'
import { openSecrets, SecretsKeyFault, UNREADABLE_SECRET } from '../src/store/tenants/secrets.ts'
import { aborted } from './aborted.ts'
import { isUnreachable } from './isUnreachable.ts'
import { startWindowTimer } from './openWindows.ts'
import { polling } from './polling.ts'
import { startQueuePublisher } from './publishQueues.ts'
import { type Relay, startRelay } from './relayOutbox.ts'
import { makeSchedules } from './schedules.ts'
import { registerSearchAttributes } from './searchAttributes.ts'
import { startSellerCalls } from './sellerCalls.ts'
import { startAuthorityTimer } from './settleAuthority.ts'
import { temporalLogger } from './temporalLogger.ts'
import { ORDERS_QUEUE } from './wakeOrder.ts'
import { watchLoop } from './watchLoop.ts'
import { whenReachable } from './whenReachable.ts'
import { workflowBundle } from './workflowBundle.ts'

/**
 * The worker: carries the outbox to Temporal, works on the orders' runs and announces rate windows as they open, until a signal or the end of
 * its parent stops it.
 */
async function main(): Promise<void> {
  const config = readConfig()
  const logger = pino({ level: config.logLevel, base: { room: 'worker' }, timestamp: pino.stdTimeFunctions.isoTime })
  const stopping = stopSignal(logger)
  Runtime.install({
    logger: temporalLogger(logger),
    shutdownSignals: [], // ours stop more than the worker
    // Without the client's own warnings: while Temporal is away they are hundreds, and the relay says it once.
    telemetryOptions: { logging: { forward: {}, filter: 'error,temporalio_sdk_core=warn' } },
  })

  const databaseUrl = required(config.databaseUrl, 'DATABASE_URL')
  const address = required(config.temporalAddress, 'TEMPORAL_ADDRESS')
  const [bundle, connection] = await Promise.all([
    workflowBundle(),
    whenReachable(
      () => NativeConnection.connect({ address }),
      temporalWait(address, stopping, logger, () => true),
    ),
  ])
  if (connection === undefined) return

  const db = openDatabase(databaseUrl)
  const client = new Client({ connection, namespace: config.temporalNamespace })
  const setUp = async () => [await registerSearchAttributes(connection, config.temporalNamespace), await makeSchedules(client)]
  const advice = await whenReachable(setUp, temporalWait(address, stopping, logger))
  if (advice === undefined) return
  for (const sentence of advice) if (sentence !== undefined) logger.warn(sentence)
  let relay: Relay | undefined
  const log = openOrderLog(db, () => relay?.wake())
  const objects = directoryStorage(join(config.dataDir, 'objects'))
  const worker = await Worker.create({
    connection,
    namespace: config.temporalNamespace,
    taskQueue: ORDERS_QUEUE,
    workflowBundle: bundle,
    activities: {
      ...orderActivities({ log, db }),
      ...holdActivities({ db }),
      ...housekeepingActivities({ db, objects }),
    },
    ...WORKER_LIMITS,
    shutdownGraceTime: graceTime(),
  })
  const outbound = createOutboundClient({ allowLoopback: config.allowLoopbackTargets })
  const keys = await secretsKeys(config)
  const openWithKeys = async () => {
    const box = await openSecrets(db, keys, (place) => logger.error({ place }, UNREADABLE_SECRET))
    await setSightKey(db, sightKey(keys()[0]))
    return box
  }
  const secrets = await whenReachable(openWithKeys, {
    isAway: isDatabaseAway,
    onAway: (err) => logger.warn({ err }, 'the database cannot be reached yet; trying again'),
    stopping,
  })
  if (secrets === undefined) return
  const office = openWebhookDispatcher({ db, outbound, secrets })
  const lane = { connection, namespace: config.temporalNamespace, shutdownGraceTime: graceTime() }
  const sellerCalls = await startSellerCalls(lane, { db, log, outbound, secrets })
  const deliveries = await Promise.all(
    [DELIVERIES_QUEUE, SLOW_DELIVERIES_QUEUE].map((taskQueue) =>
      Worker.create({ ...lane, taskQueue, activities: office.activities, maxConcurrentActivityTaskExecutions: ENDPOINTS_AT_ONCE }),
    ),
  )
  const reader = await Worker.create({
    ...lane,
    taskQueue: DOCUMENTS_QUEUE,
    activities: documentActivities({ log, db, objects }),
    maxConcurrentActivityTaskExecutions: DOCUMENTS_AT_ONCE,
  })
  const workers = [worker, ...deliveries, reader]
  const working = Promise.all([...workers, sellerCalls].map((one) => one.run()))
  relay = startRelay({ db, databaseUrl, connection, client, office, logger: temporalLogger(logger) })
  const windows = startWindowTimer({ db, logger: temporalLogger(logger) })
  const authorities = startAuthorityTimer({ db, logger: temporalLogger(logger) })
  const queues =
    config.amqpUrl === undefined ? undefined : startQueuePublisher({ db, amqpUrl: config.amqpUrl, logger: temporalLogger(logger) })

  const loop = watchLoop(logger)
  // A worker that gives up by itself ends the process: whoever keeps it running starts another.
  const ended = Promise.race([aborted(stopping), working.then(() => new Error('the worker has stopped by itself'), asError)])
  const begun = Promise.all([relay.ready, polling(connection, [...workers, ...sellerCalls.workers], stopping)])
  if (await Promise.race([ended.then(() => false), begun.then(() => true)])) {
    process.send?.({ ready: true })
    logger.info({ address, taskQueue: ORDERS_QUEUE }, 'the worker is at work')
  }
  const failure = await ended
  loop.stop()
  await Promise.all([relay.stop(), windows.stop(), authorities.stop(), queues?.stop()])
  office.close()
  sellerCalls.shutdown()
  for (const one of workers) if (one.getState() === 'RUNNING') one.shutdown()
  await working.catch(() => undefined)
  await outbound.close()
  await connection.close()
  await db.close()
  if (failure !== undefined) throw failure
}

/** Most of them wait for a turn at a reader: how many are read at once is bounded elsewhere. */
const DOCUMENTS_AT_ONCE = 200

/** One task of a run is some milliseconds on one core, and its steps share sixteen database connections. */
const WORKER_LIMITS = {
  maxConcurrentWorkflowTaskExecutions: 40,
  maxConcurrentLocalActivityExecutions: 40,
  // A parked order need not cost memory: one that is woken while out of the cache is replayed, from a dozen events. Far above the
  // tasks at once, since a run that loses its place in the middle of a step loses its task's time limit.
  maxCachedWorkflows: 500,
  // How long a run's task waits for a worker that has died.
  stickyQueueScheduleToStartTimeout: '1 s',
} as const

/** A supervisor on this machine waits four seconds before it kills; a cluster waits for longer. */
function graceTime(): string {
  return process.send === undefined ? '30 s' : '2500 ms'
}

function temporalWait(address: string, stopping: AbortSignal, logger: Logger, isAway = isUnreachable) {
  const onAway = (err: unknown) => logger.warn({ address, err }, 'Temporal cannot be reached yet; trying again')
  return { isAway, onAway, stopping }
}

function stopSignal(logger: Logger): AbortSignal {
  const stopping = new AbortController()
  const stop = (why: string) => {
    if (stopping.signal.aborted) return
    logger.info({ why }, 'stopping')
    stopping.abort()
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal))
  const orphaned = () => stop('the parent process has ended')
  process.once('disconnect', orphaned)
  if (process.connected === false) orphaned() // before we listened for it
  return stopping.signal
}

function required(value: string | undefined, name: string): string {
  if (value === undefined) throw new ConfigFault(`${name} must be set for a worker that runs alone.`)
  return value
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

main().then(
  () => process.exit(0),
  (error) => {
    const sentence = error instanceof ConfigFault || error instanceof SecretsKeyFault ? error.message : databaseFault(error)
    process.stderr.write(`${sentence ?? error?.stack ?? String(error)}\n`)
    process.exit(1)
  },
)
