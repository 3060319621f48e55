import type { Config } from '../../config/index.ts'
import type { StorageLocation } from '../../config/location.ts'
import { directoryStorage } from './objectStorage/directory.ts'
import { s3Storage } from './objectStorage/s3.ts'
import type { OpenStorage } from './objectStorage/storage.ts'

/** Opens a store without connecting. `scratch` holds a bucket's incoming bytes, and `records` notes directories; both are local. */
export function openObjectStorage(location: StorageLocation, { scratch, records }: Pick<Config, 'scratch' | 'records'>): OpenStorage {
  return location.kind === 's3' ? s3Storage(location, scratch) : directoryStorage(location.path, records)
}
