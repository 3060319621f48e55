import { afterAll, beforeAll, beforeEach } from '@jest/globals'
import { openSpool } from '../../../src/operations/drops/spool.ts'
import type { StageDeps } from '../../../src/operations/drops/stage.ts'
import { readDrop } from '../../../src/store/drops/drops.ts'
import { type TemporaryFolder, temporaryFolder } from '../files/temporaryFolder.ts'
import { useApp } from '../useApp.ts'

/** Provides an app with the dependencies of the stages of drops, and a drop of the station for each test. */
export function useDrops(productsPerSeller = 1_000) {
  const app = useApp()
  let folder: TemporaryFolder
  let drops = 0
  const name = { seller: 'station', drop_id: '' }
  const deps: StageDeps = {
    get db() {
      return app.deps.db
    },
    get drops() {
      return app.deps.drops
    },
    get spool() {
      return openSpool(folder.path)
    },
    productsPerSeller,
  }
  beforeAll(async () => {
    folder = await temporaryFolder()
  })
  afterAll(() => folder.remove())
  beforeEach(() => {
    drops += 1
    name.drop_id = `d${drops}`
  })
  return {
    app,
    deps,
    /** The drop of the current test. */
    name,
    /** Returns the data directory of the spool. */
    dataDir: () => folder.path,
    /** Returns the result of a drop; null until it has ended. */
    result: async (drop_id = name.drop_id) => JSON.parse((await readDrop(app.deps.db, name.seller, drop_id))?.result ?? 'null'),
  }
}
