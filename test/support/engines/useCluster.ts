import { afterAll, beforeAll } from '@jest/globals'
import { type Postgres, startPostgres } from '../../../src/local/embedded/postgres.ts'
import { type TemporaryFolder, temporaryFolder } from '../files/temporaryFolder.ts'

/** A PostgreSQL server for the tests of one file, which may stop it and start it again on its data. */
export interface UsedCluster {
  readonly url: string
  /** The path of its data directory. */
  readonly path: string
  start(): Promise<void>
  stop(): Promise<void>
}

export function useCluster(): UsedCluster {
  let folder: TemporaryFolder
  let server: Postgres
  const start = async () => {
    server = await startPostgres({ dataDir: folder.path })
  }
  beforeAll(async () => {
    folder = await temporaryFolder()
    await start()
  })
  afterAll(async () => {
    await server.stop()
    await folder.remove()
  })
  return {
    get url() {
      return server.url
    },
    get path() {
      return folder.path
    },
    start,
    stop: () => server.stop(),
  }
}
