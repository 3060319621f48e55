import { type Stores, storeIdentities } from '../../adapters/files/objectStorage/stores.ts'
import { type Config, ConfigFault } from '../../config/index.ts'
import { shareStores, UnsharedStoreFault } from '../../store/files/sharedStores.ts'

interface Sharing {
  readonly config: Pick<Config, 'mode'>
  readonly databaseUrl: string
  readonly stores: Partial<Stores>
  readonly log: { error(sentence: string): void }
}

/**
 * Requires that this process and the others that run use the same file stores, in production; the sandbox is one machine. Throws a
 * ConfigFault if they do not. Must be closed when the process stops.
 */
export async function shareFileStores({ config, databaseUrl, stores, log }: Sharing): Promise<{ close(): Promise<void> }> {
  if (config.mode !== 'production') return { close: async () => undefined }
  try {
    return await shareStores(databaseUrl, await storeIdentities(stores), (sentence) => log.error(sentence))
  } catch (error) {
    throw error instanceof UnsharedStoreFault ? new ConfigFault(error.message) : error
  }
}
