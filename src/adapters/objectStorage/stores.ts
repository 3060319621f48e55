import { type Config, ConfigFault } from '../../config.ts'
import { type OpenStorage, openObjectStorage } from '../objectStorage.ts'
import { StorageFault, storageSentence } from './storageFault.ts'

/** The stores that the settings name. */
export interface Stores {
  /** What buyers upload. */
  readonly objects: OpenStorage
  /** What sellers drop: `{seller}/{drop_id}/{filename}`. */
  readonly drops: OpenStorage
}

/** Connects to nothing yet. */
export function openStores({ objects, drops, ...folders }: Pick<Config, keyof Stores | 'scratch' | 'records'>): Stores {
  return { objects: openObjectStorage(objects, folders), drops: openObjectStorage(drops, folders) }
}

/** ConfigFault if a setting names a store that cannot be used as it is. One that does not answer may come back: that is a warning. */
export async function checkStores({ objects, drops }: Stores, warn: (sentence: string) => void): Promise<void> {
  await Promise.all([checkStorage(objects, 'OBJECTS_URL', warn), checkStorage(drops, 'DROPS_URL', warn)])
}

/** The same of one store. */
export async function checkStorage(storage: OpenStorage, setting: string, warn: (sentence: string) => void): Promise<void> {
  try {
    await storage.check()
  } catch (error) {
    if (!(error instanceof StorageFault)) throw error
    const sentence = storageSentence(error, setting)
    if (error.reason !== 'unreachable') throw new ConfigFault(sentence)
    warn(sentence)
  }
}

export function closeStores({ objects, drops }: Stores): void {
  objects.close()
  drops.close()
}
