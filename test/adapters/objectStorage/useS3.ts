import { basename, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe } from '@jest/globals'
import type { OpenStorage } from '../../../src/adapters/files/objectStorage/storage.ts'
import { openObjectStorage } from '../../../src/adapters/files/objectStorage.ts'
import { parseStorageUrl } from '../../../src/config/location.ts'
import { findS3Server, type S3Server, startS3Server } from '../../support/engines/s3Server.ts'
import { setS3Credential } from '../../support/files/s3Credential.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/files/temporaryFolder.ts'

const program = await findS3Server()
/** Skips where there is no S3 server. */
export const described = program === undefined ? describe.skip : describe

/** A user of the server without any right of its own. */
export const CABLE = { accessKeyId: 'cable', secretAccessKey: 'cable-secret' }

export interface UsedS3 {
  readonly server: S3Server
  /** A folder of each test. */
  readonly folder: TemporaryFolder
  /** A store of each test, under `prefix` in the bucket `stores`. */
  readonly objects: OpenStorage
  readonly prefix: string
  /** Another store, which is closed after the test. */
  open(url: string): OpenStorage
}

/** An S3 server with the buckets `stores` and `marketplace` for the tests of a file. */
export function useS3(): UsedS3 {
  const opened: OpenStorage[] = []
  const use = {
    open(url) {
      const location = parseStorageUrl(url)
      if (location === undefined) throw new Error(`${url} is not the URL of a store`)
      const store = openObjectStorage(location, { scratch: join(use.folder.path, 'incoming'), records: join(use.folder.path, 'stores') })
      opened.push(store)
      return store
    },
  } as { -readonly [Key in keyof UsedS3]: UsedS3[Key] }
  beforeAll(async () => {
    if (program === undefined) return
    use.server = await startS3Server(program)
    for (const bucket of ['stores', 'marketplace']) await use.server.createBucket(bucket)
    for (const user of [CABLE, { accessKeyId: 'service', secretAccessKey: 'service-secret' }]) await use.server.addUser(user)
  })
  afterAll(() => use.server?.remove())
  beforeEach(async () => {
    setS3Credential()
    use.folder = await temporaryFolder()
    use.prefix = basename(use.folder.path)
    if (program !== undefined) use.objects = use.open(use.server.url(`stores/${use.prefix}`))
  })
  afterEach(async () => {
    for (const store of opened.splice(0)) store.close()
    await use.folder.remove()
  })
  return use
}
