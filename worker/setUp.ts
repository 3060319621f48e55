import type { Client } from '@temporalio/client'
import type { NativeConnection } from '@temporalio/worker'
import type { Logger } from 'pino'
import type { ObjectStorage } from '../src/adapters/files/objectStorage/storage.ts'
import { secretsKeys } from '../src/adapters/keys/secretsKey.ts'
import type { Config } from '../src/config/index.ts'
import type { Database } from '../src/store/connection/database.ts'
import { isDatabaseAway } from '../src/store/connection/databaseFault.ts'
import { scopeKey, setScopeKey } from '../src/store/connection/scopeKey.ts'
import { requireSchema } from '../src/store/migrations/requireSchema.ts'
import { openSecrets, type SecretBox, UNREADABLE_SECRET } from '../src/store/tenants/secrets.ts'
import { inTime } from './inTime.ts'
import { startWindowTimer } from './openWindows.ts'
import { startQueuePublisher } from './publishQueues.ts'
import { type Repeated, repeat } from './repeat.ts'
import { startHealthReport } from './reportHealth.ts'
import { startAuthorityTimer } from './resolveAuthority.ts'
import { makeSchedules } from './schedules.ts'
import { isTemporalCloud, missingAttributes, registerSearchAttributes } from './searchAttributes.ts'
import { temporalLogger } from './temporalLogger.ts'
import { startDropWatch, WATCH_SPEEDS } from './watchDrops.ts'
import type { TemporalWatch } from './watchTemporal.ts'
import { whenReachable } from './whenReachable.ts'

/** The dependencies of the steps of a start. */
export interface SetUp {
  readonly config: Config
  readonly stopping: AbortSignal
  readonly logger: Logger
}

interface NamespaceSetUp extends Omit<SetUp, 'stopping'> {
  readonly connection: NativeConnection
  readonly client: Client
  readonly address: string
}

/**
 * Sets the namespace up: registers search attributes, makes schedules, and logs what an operator must do about those that are forbidden.
 * Fails while Temporal is away.
 */
export async function setUpNamespace({ connection, client, address, config, logger }: NamespaceSetUp): Promise<void> {
  const isCloud = isTemporalCloud(address, config.temporalSecurity)
  const advice = [await registerSearchAttributes(connection, config.temporalNamespace, { isCloud }), await makeSchedules(client)]
  for (const sentence of advice) if (sentence !== undefined) logger.warn(sentence)
}

/** Registers search attributes again that somebody has removed: without them no run of an order or a drop can start or go on. */
export function keepSearchAttributes(
  { connection, config, logger }: Omit<NamespaceSetUp, 'client' | 'address'>,
  isServing: () => boolean,
): Repeated {
  const look = async () => {
    if (!isServing()) return
    const namespace = config.temporalNamespace
    const missing = await inTime(connection, ATTRIBUTES_MS, () => missingAttributes(connection, namespace))
    if (missing.length === 0) return
    if ((await inTime(connection, ATTRIBUTES_MS, () => registerSearchAttributes(connection, namespace))) !== undefined) return
    logger.warn({ attributes: missing.map(({ name }) => name) }, 'search attributes of the namespace were missing and are registered again')
  }
  return repeat(ATTRIBUTES_MS, look, () => undefined) // Temporal is away, which other parts report
}

const ATTRIBUTES_MS = 5_000

/** Checks the schema and the secrets key once the database can be reached. Returns undefined if the worker must stop before that. */
export async function secretsWhenReachable({ db, config, stopping, logger }: SetUp & { db: Database }): Promise<SecretBox | undefined> {
  const keys = await secretsKeys(config)
  const openWithKeys = async () => {
    await requireSchema(db)
    const box = await openSecrets(db, keys, (place) => logger.error({ place }, UNREADABLE_SECRET))
    await setScopeKey(db, scopeKey(keys()[0]))
    return box
  }
  const onAway = (err: unknown) => logger.warn({ err }, 'the database cannot be reached yet; trying again')
  return whenReachable(openWithKeys, { isAway: isDatabaseAway, onAway, stopping })
}

/** Starts this process's periodic work outside its workflows, and the publisher of message queues if there is a broker. */
export function startTimers({
  db,
  databaseUrl,
  client,
  config,
  drops,
  watch,
  logger,
}: Omit<SetUp, 'stopping'> & {
  db: Database
  databaseUrl: string
  client: Client
  drops: ObjectStorage
  watch: TemporalWatch
}): { stop(): unknown }[] {
  const log = temporalLogger(logger)
  const { amqpUrl, dropsPerDay } = config
  return [
    startWindowTimer({ db, logger: log }),
    startDropWatch({ db, databaseUrl, drops, dropsPerDay, ...WATCH_SPEEDS[config.drops.kind], logger: log }),
    startAuthorityTimer({ db, logger: log }),
    ...(amqpUrl === undefined ? [] : [startQueuePublisher({ db, amqpUrl, logger: log })]),
    startHealthReport({ db, client, reachable: watch.reachable }),
  ]
}
