import { type Config, ConfigFault } from '../../../config/index.ts'
import { openObjectStorage } from '../objectStorage.ts'
import type { OpenStorage } from './storage.ts'
import { StorageFault, storageSentence } from './storageFault.ts'

/** The stores that the settings name. */
export interface Stores {
  /** The files that buyers upload. */
  readonly objects: OpenStorage
  /** The files that sellers drop: `{seller}/{drop_id}/{filename}`. */
  readonly drops: OpenStorage
}

/** Opens the stores without connecting. */
export function openStores({ objects, drops, ...folders }: Pick<Config, keyof Stores | 'scratch' | 'records'>): Stores {
  return { objects: openObjectStorage(objects, folders), drops: openObjectStorage(drops, folders) }
}

/** Throws a ConfigFault if a setting names an unusable store. Only warns if a store does not answer, since it may come back. */
export async function checkStores({ objects, drops }: Stores, warn: (sentence: string) => void): Promise<void> {
  await Promise.all([checkStorage(objects, 'OBJECTS_URL', warn), checkStorage(drops, 'DROPS_URL', warn)])
}

/** Checks one store in the same way. */
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

/** Returns the identities of the stores, by the setting that names each. */
export async function storeIdentities(stores: Partial<Stores>): Promise<Record<string, string>> {
  const identities: Record<string, string> = {}
  if (stores.objects !== undefined) identities.OBJECTS_URL = await stores.objects.identity()
  if (stores.drops !== undefined) identities.DROPS_URL = await stores.drops.identity()
  return identities
}

export function closeStores({ objects, drops }: Stores): void {
  objects.close()
  drops.close()
}
