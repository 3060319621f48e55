import { Client } from '@temporalio/client'
import { Runtime } from '@temporalio/worker'
import pino, { type Logger } from 'pino'
import { checkStores, closeStores, openStores } from '../src/adapters/files/objectStorage/stores.ts'
import { createOutboundClient } from '../src/adapters/http/outboundCall.ts'
import { refusedCaller } from '../src/adapters/temporal/temporalFault.ts'
import { type Config, ConfigFault, readConfig } from '../src/config/index.ts'
import { measurePool } from '../src/metrics/pool.ts'
import { serveMetrics, unservedMetrics } from '../src/metrics/serveMetrics.ts'
import { startTracing } from '../src/metrics/tracing.ts'
import { shareFileStores } from '../src/operations/drops/shareFileStores.ts'
import { openSpool } from '../src/operations/drops/spool.ts'
import { openLargeOrders } from '../src/operations/settlement/largeOrders.ts'
import { openWebhookDispatcher } from '../src/operations/webhooks/dispatcher.ts'
import { openDatabase } from '../src/store/connection/database.ts'
import { databaseFault, isDatabaseAway } from '../src/store/connection/databaseFault.ts'
import { listenSenders } from '../src/store/delivery/endpointSenders.ts'
import { readDropRun } from '../src/store/drops/drops.ts'
import { openOrderLog } from '../src/store/orders/orderLog.ts'
import { wakeEverything } from '../src/store/orders/wakeEverything.ts'
import { SecretsKeyFault } from '../src/store/tenants/secrets.ts'
import { QUEUES } from '../workflows/messages.ts'
import { aborted } from './aborted.ts'
import { connectTemporal } from './connectTemporal.ts'
import { callingInActivities } from './inActivity.ts'
import { keepWorkers } from './keepWorkers.ts'
import { openMail } from './openMail.ts'
import { openSandbox, startParties } from './playSandbox.ts'
import { countWaitingTasks, polling } from './polling.ts'
import { openWorkers, servedQueues } from './queues.ts'
import { type Relay, startRelay } from './relayOutbox.ts'
import { joinRelease, releaseOptions } from './release.ts'
import { reportMarketMetrics } from './reportMarketMetrics.ts'
import { RUNS } from './runs.ts'
import { keepSearchAttributes, secretsWhenReachable, setUpNamespace, startTimers } from './setUp.ts'
import { isAway } from './temporalErrors.ts'
import { temporalLogger } from './temporalLogger.ts'
import { traceActivities, traceOfStep } from './traceActivities.ts'
import { tuneHeap } from './tuneHeap.ts'
import { watchLoop } from './watchLoop.ts'
import { watchTemporal } from './watchTemporal.ts'
import { workflowBundle } from './workflowBundle.ts'

/**
 * The worker process: relays the outbox to Temporal, works on orders' runs and announces rate windows as they open, until a signal or the
 * end of its parent process stops it.
 */
async function main(): Promise<void> {
  tuneHeap()
  const config = readConfig()
  const logger = pino({ level: config.logLevel, base: { room: 'worker' }, timestamp: pino.stdTimeFunctions.isoTime })
  const stopping = stopSignal(logger)
  const metrics = await serveMetrics(config)
  installRuntime(config, logger)
  const tracing = await startTracing(config, 'worker', logger)

  const stores = openStores(config)
  await checkStores(stores, (sentence) => logger.warn(sentence))
  const databaseUrl = required(config.databaseUrl, 'DATABASE_URL')
  const address = required(config.temporalAddress, 'TEMPORAL_ADDRESS')
  const place = { address, security: config.temporalSecurity }
  const connecting = connectTemporal(place, { stopping, logger: temporalLogger(logger) })
  const [bundle, connection] = await Promise.all([workflowBundle(), connecting])
  if (connection === undefined) return

  const db = openDatabase(databaseUrl, { process: 'worker' })
  measurePool(db.pool)
  const client = new Client({ connection, namespace: config.temporalNamespace })
  const watch = watchTemporal({ client, logger: temporalLogger(logger) })
  let relay: Relay | undefined
  const log = openOrderLog(db, () => relay?.wake(), traceOfStep)
  const spool = openSpool(config.dataDir)
  const { productsPerSeller } = config
  const outbound = callingInActivities(createOutboundClient({ allowLoopback: config.allowLoopbackTargets }))
  const secrets = await secretsWhenReachable({ db, config, stopping, logger })
  if (secrets === undefined) return
  const sharing = await shareFileStores({ config, databaseUrl, stores, log: logger })
  await spool
    .removeLeftovers(async (run) => (await readDropRun(db, run))?.ended_at === null)
    .catch((err) => logger.warn({ err }, 'what earlier workers left in the spool cannot be removed now'))
  const dispatcher = openWebhookDispatcher({ db, outbound, secrets })
  const calls = listenSenders(databaseUrl, dispatcher.wake)
  const mail = await openMail(config.mail, { db, log, logger: temporalLogger(logger) })
  const largeOrders = openLargeOrders(databaseUrl)
  const players = await openSandbox(config)
  const queues = servedQueues({
    workflowBundle: bundle,
    db,
    log,
    ...stores,
    spool,
    productsPerSeller,
    outbound,
    secrets,
    dispatcher,
    mailSender: mail?.sender,
    largeOrders,
    players,
  })
  const options = {
    ...{ connection, namespace: config.temporalNamespace, shutdownGraceTime: graceTime(), ...releaseOptions(config.workerBuildId) },
    interceptors: { activity: tracing === undefined ? [] : [traceActivities(db)] },
  }
  const workers = keepWorkers({
    watch,
    setUp: async (namespaceId) => {
      await setUpNamespace({ connection, client, address, config, logger })
      if (namespaceId !== undefined) await wakeEverything(db, namespaceId, RUNS)
      if (players !== undefined) await startParties(client)
    },
    open: () => openWorkers(options, queues),
    polling: async (opened, until) => {
      await polling(connection, opened, until)
      await joinRelease({ connection, config, stopping: until, logger })
    },
    isAway: (error) => isAway(error) || isDatabaseAway(error),
    logger: temporalLogger(logger),
  })
  // Mails that wait for a mail server are woken by the first worker that has one, so this worker leaves them.
  const idle = mail === undefined ? ['mail'] : []
  const startsEagerly = config.workerBuildId === undefined
  const orderTasks = { namespace: config.temporalNamespace, queue: QUEUES.orders }
  const countTasks = () => countWaitingTasks(connection, orderTasks)
  const { isServing } = workers
  relay = startRelay({ db, databaseUrl, connection, client, startsEagerly, idle, countTasks, isServing, logger: temporalLogger(logger) })
  const timers = [
    ...startTimers({ db, databaseUrl, client, config, drops: stores.drops, watch, logger }),
    keepSearchAttributes({ connection, config, logger }, isServing),
    watch,
  ]
  const market = metrics && reportMarketMetrics({ db, client })

  const loop = watchLoop(logger)
  // If the worker stops without a signal, the process ends, so that its supervisor starts another.
  const ended = Promise.race([aborted(stopping), workers.ended.catch(asError)])
  const begun = Promise.all([relay.ready, workers.ready])
  if (await Promise.race([ended.then(() => false), begun.then(() => true)])) {
    metrics?.ready()
    process.send?.({ ready: true })
    logger.info({ address, taskQueue: QUEUES.orders }, 'the worker is running')
  }
  const failure = await ended
  loop.stop()
  // All parts stop together: a worker that kept polling would receive deliveries that this process no longer sends.
  const worked = workers.stop()
  const stopped = [relay, ...timers, market].map((part) => part?.stop())
  mail?.sender.stop()
  await Promise.all([...stopped, dispatcher.close(), calls.close(), players?.close()])
  await worked
  await Promise.all([outbound.close(), mail?.close(), largeOrders.close(), sharing.close()])
  closeStores(stores)
  await connection.close()
  await db.close()
  await tracing?.close()
  await metrics?.close()
  const refused = refusedCaller(failure, { address, ...config.temporalSecurity })
  if (refused !== undefined) throw new ConfigFault(refused)
  if (failure !== undefined) throw failure
}

/** Returns the time for a stop: a supervisor on this machine kills after seconds, but a cluster waits longer. */
function graceTime(): string {
  return process.send === undefined ? '30 s' : '2500 ms'
}

/** Serves the Temporal client's own metrics on the next port. Fails with a ConfigFault if another program uses that port. */
function installRuntime({ metricsPort, metricsHost }: Config, logger: Logger): void {
  const host = metricsHost.includes(':') ? `[${metricsHost}]` : metricsHost
  const port = metricsPort === undefined ? undefined : metricsPort + 1
  const prometheus = { bindAddress: `${host}:${port}`, useSecondsForDurations: true, unitSuffix: true }
  try {
    Runtime.install({
      logger: temporalLogger(logger),
      shutdownSignals: [], // this program handles signals itself, since it stops more than the worker
      // The client would log hundreds of warnings while Temporal is away, but the relay logs it once.
      telemetryOptions: {
        logging: { forward: {}, filter: 'error,temporalio_sdk_core=warn' },
        ...(port === undefined ? {} : { metrics: { prometheus } }),
      },
    })
  } catch (error) {
    if (port === undefined || !/metrics exporter/.test((error as Error).message)) throw error
    throw unservedMetrics(metricsHost, port, 'EADDRINUSE')
  }
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
  if (process.connected === false) orphaned() // the parent process ended before this process could listen for it
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
