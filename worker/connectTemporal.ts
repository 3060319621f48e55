import { setTimeout as sleep } from 'node:timers/promises'
import { NativeConnection } from '@temporalio/worker'
import { temporalFault } from '../src/adapters/temporal/temporalFault.ts'
import { readApiKey, type TemporalOptions, temporalOptions } from '../src/adapters/temporal/temporalOptions.ts'
import { ConfigFault, type TemporalSecurity } from '../src/config/index.ts'
import { whenReachable } from './whenReachable.ts'

export interface TemporalPlace {
  readonly address: string
  readonly security: TemporalSecurity
}

interface Waiting {
  readonly stopping: AbortSignal
  readonly logger: { warn(message: string, meta?: Record<string, unknown>): void; info(message: string): void }
}

/**
 * Connects to Temporal, and retries while it is away. Reads an API key file again when it changes. Resolves to undefined if stopped first.
 * Errors: a ConfigFault for settings that can never connect.
 */
export async function connectTemporal(place: TemporalPlace, { stopping, logger }: Waiting): Promise<NativeConnection | undefined> {
  const connect = async () => {
    const options = await temporalOptions(place.address, place.security)
    try {
      return { connection: await connectInTime(options), apiKey: options.apiKey }
    } catch (error) {
      const fault = await temporalFault(error, options)
      if (fault === undefined) throw error
      throw fault.isCertain ? new ConfigFault(fault.sentence) : new Error(fault.sentence, { cause: error })
    }
  }
  const connected = await whenReachable(connect, {
    isAway: (error) => !(error instanceof ConfigFault),
    onAway: (error) => logger.warn('Temporal cannot be reached yet; trying again', { address: place.address, error }),
    stopping,
  })
  if (connected === undefined) return undefined
  const { apiKey } = place.security
  if (apiKey !== undefined && 'file' in apiKey) void followApiKey(apiKey.file, connected, { stopping, logger })
  return connected.connection
}

/** Adds a time limit, since the SDK waits forever for a server that refuses a certificate after the handshake, or that expects TLS. */
async function connectInTime(options: TemporalOptions): Promise<NativeConnection> {
  const answered = new AbortController()
  const connecting = NativeConnection.connect(options)
  const tooLate = sleep(CONNECT_MS, undefined, { signal: answered.signal }).then(() =>
    Promise.reject(new Error('Temporal does not answer')),
  )
  tooLate.catch(() => undefined)
  try {
    return await Promise.race([connecting, tooLate])
  } catch (error) {
    connecting.then((late) => late.close()).catch(() => undefined)
    throw error
  } finally {
    answered.abort()
  }
}

const CONNECT_MS = 5_000

/** Compares the file's content, since a file mounted into a container changes by links, which cause no event. */
async function followApiKey(
  file: string,
  { connection, apiKey }: { connection: NativeConnection; apiKey: string | undefined },
  { stopping, logger }: Waiting,
): Promise<void> {
  let known = apiKey
  let unreadable = false
  while (!stopping.aborted) {
    await sleep(FOLLOW_MS, undefined, { signal: stopping, ref: false }).catch(() => undefined)
    try {
      const key = await readApiKey(file)
      unreadable = false
      if (key === known) continue
      await connection.setApiKey(key)
      known = key
      logger.info('the API key of Temporal has been replaced')
    } catch (error) {
      // The previous key stays in use.
      if (!unreadable) logger.warn('the API key of Temporal cannot be read again', { error })
      unreadable = true
    }
  }
}

const FOLLOW_MS = 2_000
