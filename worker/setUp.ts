import type { Client } from '@temporalio/client'
import type { NativeConnection } from '@temporalio/worker'
import type { Logger } from 'pino'
import type { ObjectStorage } from '../src/adapters/objectStorage.ts'
import { secretsKeys } from '../src/adapters/secretsKey.ts'
import type { Config } from '../src/config.ts'
import type { Database } from '../src/store/connection/database.ts'
import { isDatabaseAway } from '../src/store/connection/databaseFault.ts'
import { setSightKey, sightKey } from '../src/store/connection/sightKey.ts'
import { requireSchema } from '../src/store/migrations/requireSchema.ts'
import { openSecrets, type SecretBox, UNREADABLE_SECRET } from '../src/store/tenants/secrets.ts'
import { startWindowTimer } from './openWindows.ts'
import { startQueuePublisher } from './publishQueues.ts'
import { startHealthReport } from './reportHealth.ts'
import { makeSchedules } from './schedules.ts'
import { isTemporalCloud, registerSearchAttributes } from './searchAttributes.ts'
import { startAuthorityTimer } from './settleAuthority.ts'
import { isUnreachable } from './temporalErrors.ts'
import { temporalLogger } from './temporalLogger.ts'
import { startDropWatch, WATCH_SPEEDS } from './watchDrops.ts'
import { watchTemporal } from './watchTemporal.ts'
import { whenReachable } from './whenReachable.ts'

/** The dependencies of the steps of a start. */
export interface SetUp {
  readonly config: Config
  readonly stopping: AbortSignal
  readonly logger: Logger
}

/** Registers search attributes and schedules once Temporal can be reached. Returns false if the worker must stop before that. */
export async function setUpTemporal({
  connection,
  client,
  address,
  config,
  stopping,
  logger,
}: SetUp & { connection: NativeConnection; client: Client; address: string }): Promise<boolean> {
  const isCloud = isTemporalCloud(address, config.temporalSecurity)
  const setUp = async () => [await registerSearchAttributes(connection, config.temporalNamespace, { isCloud }), await makeSchedules(client)]
  const onAway = (err: unknown) => logger.warn({ address, err }, 'Temporal cannot be reached yet; trying again')
  const advice = await whenReachable(setUp, { isAway: isUnreachable, onAway, stopping })
  if (advice === undefined) return false
  for (const sentence of advice) if (sentence !== undefined) logger.warn(sentence)
  return true
}

/** Checks the schema and the secrets key once the database can be reached. Returns undefined if the worker must stop before that. */
export async function secretsWhenReachable({ db, config, stopping, logger }: SetUp & { db: Database }): Promise<SecretBox | undefined> {
  const keys = await secretsKeys(config)
  const openWithKeys = async () => {
    await requireSchema(db)
    const box = await openSecrets(db, keys, (place) => logger.error({ place }, UNREADABLE_SECRET))
    await setSightKey(db, sightKey(keys()[0]))
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
  logger,
}: Omit<SetUp, 'stopping'> & { db: Database; databaseUrl: string; client: Client; drops: ObjectStorage }): { stop(): unknown }[] {
  const log = temporalLogger(logger)
  const watch = watchTemporal({ client, logger: log })
  const { amqpUrl, dropsPerDay } = config
  return [
    startWindowTimer({ db, logger: log }),
    startDropWatch({ db, databaseUrl, drops, dropsPerDay, ...WATCH_SPEEDS[config.drops.kind], logger: log }),
    startAuthorityTimer({ db, logger: log }),
    ...(amqpUrl === undefined ? [] : [startQueuePublisher({ db, amqpUrl, logger: log })]),
    watch,
    startHealthReport({ db, client, reachable: watch.reachable }),
  ]
}
