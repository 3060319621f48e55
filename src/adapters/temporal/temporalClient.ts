import { Connection } from '@temporalio/client'
import { ConfigFault } from '../../config/index.ts'
import { temporalFault } from './temporalFault.ts'
import type { TemporalOptions } from './temporalOptions.ts'

/** The time that Temporal has to answer a program that connects. */
const CONNECT_MS = 5_000

/** Connects a short-lived program that calls Temporal. Errors: a ConfigFault that says why Temporal cannot be used. */
export function connectTemporalClient(options: TemporalOptions, connectMs = CONNECT_MS): Promise<Connection> {
  return Connection.connect({ ...options, connectTimeout: connectMs }).catch(async (error: Error) => {
    const fault = await temporalFault(error, options)
    const away = `The Temporal of TEMPORAL_ADDRESS ${options.address} cannot be reached (${error.message}); start it or correct TEMPORAL_ADDRESS.`
    throw new ConfigFault(fault?.sentence ?? away)
  })
}
